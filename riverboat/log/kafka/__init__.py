"""The log on Kafka. Only the modules of this package import a Kafka client."""

from riverboat.log.kafka.connection import KafkaSettings, greet
from riverboat.log.kafka.network import KafkaLog

__all__ = ["KafkaLog", "KafkaSettings", "greet"]
