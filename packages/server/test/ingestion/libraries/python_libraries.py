"""Loggers and clients of Python that ship events as their applications would, each in a thread of its own.

Started by `library-processes.ts`, which says what is read and printed. The packages are those of `tools/test-python.txt`.
"""
import json
import logging
import re
import sys
import threading
import time

orders = json.loads(sys.argv[1])
url, count, batch = orders["url"], orders["count"], orders["batch"]
flush_seconds = 0.2

allowed = 0
may_send = threading.Condition()
output = threading.Lock()


def next_numbers():
    for number in range(count):
        with may_send:
            may_send.wait_for(lambda: number < allowed)
        yield number


def print_message(shipper, number):
    return f"Accepted password for {shipper} from 203.0.113.9 port {number} ssh2"


def acknowledge(shipper, text):
    numbers = [int(number) for number in re.findall(r" port (\d+) ssh2", text)]
    with output:
        print(json.dumps({"shipper": shipper, "acknowledged": numbers}, separators=(",", ":")), flush=True)


def ship_by_opensearch(shipper, token):
    from opensearchpy import OpenSearch, helpers

    client = OpenSearch([f"{url}/ingest/elastic"], http_auth=("any", token))
    now = time.time()

    def action(number):
        return {
            "_op_type": "create", "_index": "logs", "_id": f"{shipper}-{number}", "@timestamp": int(now * 1000) + number,
            "host": {"name": shipper}, "log": {"syslog": {"appname": "sshd"}}, "message": print_message(shipper, number),
        }

    def send(numbers):
        """Sends a batch until all of it is taken, as an application does that must not lose any."""
        while numbers:
            results = list(helpers.streaming_bulk(client, map(action, numbers), raise_on_error=False, raise_on_exception=False))
            done = [number for number, (is_taken, _) in zip(numbers, results) if is_taken]
            acknowledge(shipper, "\n".join(print_message(shipper, number) for number in done))
            numbers = [number for number in numbers if number not in done]
            if numbers:
                time.sleep(flush_seconds)

    numbers = []
    for number in next_numbers():
        numbers.append(number)
        if len(numbers) == batch:
            send(numbers)
            numbers = []
    send(numbers)


def ship_by_splunk_handler(shipper, token):
    from splunk_handler import SplunkHandler

    handler = SplunkHandler(
        host="127.0.0.1", port=0, token=token, index="main", url=f"{url}/services/collector/event", protocol="http", verify=False,
        hostname=shipper, source="sshd", sourcetype="linux_secure", flush_interval=flush_seconds, force_keep_ahead=True,
        retry_count=30, retry_backoff=0.02,
    )

    def read_answer(answer, *_, **__):
        if answer.ok and answer.json()["code"] == 0:
            acknowledge(shipper, str(answer.request.body))

    handler.session.hooks["response"].append(read_answer)
    logger = logging.getLogger(shipper)
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    for number in next_numbers():
        logger.info(print_message(shipper, number))


def ship_by_opentelemetry(shipper, token, exporter_class):
    from opentelemetry._logs import LogRecord
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExportResult

    class AcknowledgingExporter(exporter_class):
        def export(self, batch):
            result = super().export(batch)
            if result is LogRecordExportResult.SUCCESS:
                acknowledge(shipper, "\n".join(str(each.log_record.body) for each in batch))
            return result

    headers = {"authorization": f"Bearer {token}"}
    exporter = AcknowledgingExporter(endpoint=f"{url}/ingest/otlp/v1/logs", headers=headers, timeout=60)
    provider = LoggerProvider()
    provider.add_log_record_processor(BatchLogRecordProcessor(
        exporter, schedule_delay_millis=int(flush_seconds * 1000), max_export_batch_size=batch, max_queue_size=count,
    ))
    logger = provider.get_logger("sshd")
    for number in next_numbers():
        attributes = {"host.name": shipper}
        logger.emit(LogRecord(timestamp=time.time_ns(), body=print_message(shipper, number), attributes=attributes))


def ship_by_opentelemetry_json(shipper, token):
    from opentelemetry.exporter.otlp.json.http._log_exporter import OTLPLogExporter

    ship_by_opentelemetry(shipper, token, OTLPLogExporter)


def ship_by_opentelemetry_protobuf(shipper, token):
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter

    ship_by_opentelemetry(shipper, token, OTLPLogExporter)


shippers = {
    "opensearch-py": ship_by_opensearch,
    "splunk-handler": ship_by_splunk_handler,
    "opentelemetry-python-json": ship_by_opentelemetry_json,
    "opentelemetry-python-protobuf": ship_by_opentelemetry_protobuf,
}
for shipper, token in orders["tokens"].items():
    threading.Thread(target=shippers[shipper], args=(shipper, token), daemon=True).start()
for line in sys.stdin:
    with may_send:
        allowed = int(line)
        may_send.notify_all()
