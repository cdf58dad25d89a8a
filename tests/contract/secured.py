"""A broker that lets in only whom it knows, over TLS, with certificates made for the occasion.

Holds no test itself.
"""

from __future__ import annotations

import datetime
import ipaddress
import socket
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from deploy.kafka.cluster import Cluster

USER, PASSWORD = "riverboat", "correct-horse"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256")
_DAY = datetime.timedelta(days=1)


class Authority:
    """Whoever signs certificates: its own stands in `path`, for those who trust it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.pem"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        own = (
            self._certificate(self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(usage, critical=True)
        )
        self._own = own.sign(self._key, hashes.SHA256())
        self.path.write_bytes(_pem(self._own))

    def sign(self, path: Path) -> None:
        """Write a key and its certificate, for a server on this machine's loopback."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "broker")])
        here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        signed = (
            self._certificate(subject, key)
            .add_extension(here, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        own = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        path.write_bytes(own + _pem(signed) + _pem(self._own))

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey
    ) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _DAY)
            .not_valid_after(now + _DAY)
        )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


class Secured:
    """The broker, where it is, and whose word its certificate is."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder, "authority")
        self.stranger = Authority(folder, "stranger")
        key = folder / "broker.pem"
        self.authority.sign(key)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.bootstrap = f"127.0.0.1:{port}"
        node = Cluster(folder).nodes[0]
        places = (
            f"PLAINTEXT://127.0.0.1:{node.broker_port}",  # between brokers
            f"CONTROLLER://127.0.0.1:{node.controller_port}",
            f"SECURED://{self.bootstrap}",
        )
        protocols = "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURED:SASL_SSL"
        module = "org.apache.kafka.common.security"
        plain = f'{module}.plain.PlainLoginModule required user_{USER}="{PASSWORD}";'
        scram = f"{module}.scram.ScramLoginModule required;"
        mine = "listener.name.secured"
        self.cluster = Cluster(
            folder,
            attached=True,
            users={USER: PASSWORD},
            also=[
                f"listeners={','.join(places)}",
                f"advertised.listeners={','.join(places)}",
                f"listener.security.protocol.map={protocols}",
                f"sasl.enabled.mechanisms={','.join(MECHANISMS)}",
                f"{mine}.plain.sasl.jaas.config={plain}",
                f"{mine}.scram-sha-256.sasl.jaas.config={scram}",
                f"{mine}.ssl.keystore.type=PEM",
                f"{mine}.ssl.keystore.location={key}",
            ],
        )

    def security(self, mechanism: str, **instead: str) -> dict[str, str]:
        """How it is spoken to, as the log's settings say it."""
        return {
            "security_protocol": "SASL_SSL",
            "sasl_mechanism": mechanism,
            "sasl_username": USER,
            "sasl_password": PASSWORD,
            "tls_ca_file": str(self.authority.path),
            **instead,
        }

    def environment(self, folder: Path, mechanism: str, **instead: str) -> dict[str, str]:
        """How it is spoken to, as a process finds its settings."""
        secret = folder / "password"
        secret.write_text(instead.pop("password", PASSWORD))
        return {
            "RIVERBOAT_KAFKA_SASL": mechanism,
            "RIVERBOAT_KAFKA_USER": USER,
            "RIVERBOAT_KAFKA_PASSWORD_FILE": str(secret),
            "RIVERBOAT_KAFKA_CA": instead.pop("ca", str(self.authority.path)),
        }
