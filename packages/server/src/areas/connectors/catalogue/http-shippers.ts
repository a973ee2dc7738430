import type { IntakeAddress } from './intake-address.ts'
import type { ShipperTable } from './shipper-configuration.ts'

/** The setup that Beats do at Elasticsearch, which is none here, and the output; the port is stated, as Beats take 9200 otherwise. */
function printBeatsOutput({ isTls, host, port, token }: IntakeAddress): string {
  return `setup.ilm.enabled: false
setup.template.enabled: false
output.elasticsearch:
  hosts: ["${isTls ? 'https' : 'http'}://${printHost(host)}:${port}"]
  path: /ingest/elastic
  username: any
  password: ${token}`
}

/** A host as URLs have it. */
function printHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

const fluentBitInput = `pipeline:
  inputs:
    - name: tail
      path: /var/log/*.log
      tag: logs`

const vectorSource = `sources:
  logs:
    type: file
    include: [/var/log/*.log]`

/** Products that send as to Elasticsearch. */
export const elasticShippers: ShipperTable = [
  {
    product: 'filebeat', name: 'Filebeat', file: '/etc/filebeat/filebeat.yml', language: 'yaml',
    print: (place) => `filebeat.inputs:
  - type: filestream
    id: logs
    paths: [/var/log/*.log]
${printBeatsOutput(place)}`,
  },
  {
    product: 'winlogbeat', name: 'Winlogbeat (Windows events)', file: 'C:\\Program Files\\Winlogbeat\\winlogbeat.yml', language: 'yaml',
    print: (place) => `winlogbeat.event_logs:
  - name: Security
  - name: System
  - name: Microsoft-Windows-Sysmon/Operational
  - name: Microsoft-Windows-PowerShell/Operational
${printBeatsOutput(place)}`,
  },
  {
    product: 'vector', name: 'Vector', file: '/etc/vector/vector.yaml', language: 'yaml',
    print: ({ url, token }) => `${vectorSource}
sinks:
  tripline:
    type: elasticsearch
    inputs: [logs]
    endpoints: ["${url}/ingest/elastic"]
    api_version: v8
    auth:
      strategy: basic
      user: any
      password: ${token}`,
  },
  {
    product: 'rsyslog', name: 'rsyslog (omelasticsearch)', file: '/etc/rsyslog.d/tripline.conf', language: 'rsyslog',
    print: ({ host, port, isTls, token }) => `module(load="omelasticsearch")
template(name="tripline" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="hostname" name="hostname" format="jsonf")
  property(outname="program" name="programname" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
}
action(type="omelasticsearch" server="${host}" serverport="${port}" usehttps="${isTls ? 'on' : 'off'}"
       uid="any" pwd="${token}" bulkmode="on" template="tripline"
       action.resumeRetryCount="-1" queue.type="LinkedList"
       queue.filename="tripline" queue.saveOnShutdown="on")`,
  },
]

/** Products that send as to Splunk. */
export const splunkShippers: ShipperTable = [
  {
    product: 'fluent-bit', name: 'Fluent Bit', file: 'fluent-bit.yaml', language: 'yaml',
    print: ({ host, port, isTls, token }) => `${fluentBitInput}
  outputs:
    - name: splunk
      match: '*'
      host: ${host}
      port: ${port}
      splunk_token: ${token}
      tls: ${isTls ? 'on' : 'off'}`,
  },
  {
    product: 'cribl', name: 'Cribl Stream', file: 'outputs.yml', language: 'yaml',
    print: ({ url, token }) => `outputs:
  tripline:
    type: splunk_hec
    loadBalanced: false
    url: ${url}/services/collector/event
    authType: manual
    token: ${token}`,
  },
  {
    product: 'vector', name: 'Vector', file: '/etc/vector/vector.yaml', language: 'yaml',
    print: ({ url, token }) => `${vectorSource}
sinks:
  tripline:
    type: splunk_hec_logs
    inputs: [logs]
    endpoint: ${url}
    default_token: ${token}
    encoding:
      codec: json
    acknowledgements:
      indexer_acknowledgements_enabled: false`,
  },
  {
    product: 'curl', name: 'curl (a first event)', file: '', language: 'shell',
    print: ({ url, token }) => printCurl(`${url}/services/collector`, `Splunk ${token}`, '{"event":{"message":"hello","host":"ws-1"}}'),
  },
]

/** Products that send OpenTelemetry logs. */
export const otlpShippers: ShipperTable = [
  {
    product: 'opentelemetry-collector', name: 'OpenTelemetry Collector', file: '/etc/otelcol/config.yaml', language: 'yaml',
    print: ({ url, token }) => `receivers:
  filelog:
    include: [/var/log/*.log]
exporters:
  otlphttp/tripline:
    logs_endpoint: ${url}/ingest/otlp/v1/logs
    headers:
      Authorization: Bearer ${token}
service:
  pipelines:
    logs:
      receivers: [filelog]
      exporters: [otlphttp/tripline]`,
  },
  {
    product: 'opentelemetry-sdk', name: 'OpenTelemetry SDKs', file: '', language: 'shell',
    print: ({ url, token }) => `export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT='${url}/ingest/otlp/v1/logs'
export OTEL_EXPORTER_OTLP_LOGS_HEADERS='Authorization=Bearer%20${token}'
export OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf`,
  },
  {
    product: 'fluent-bit', name: 'Fluent Bit', file: 'fluent-bit.yaml', language: 'yaml',
    print: ({ host, port, isTls, token }) => `${fluentBitInput}
  outputs:
    - name: opentelemetry
      match: '*'
      host: ${host}
      port: ${port}
      logs_uri: /ingest/otlp/v1/logs
      tls: ${isTls ? 'on' : 'off'}
      header: Authorization Bearer ${token}`,
  },
]

/** Products that send JSON, an event a line. */
export const ndjsonShippers: ShipperTable = [
  {
    product: 'vector', name: 'Vector', file: '/etc/vector/vector.yaml', language: 'yaml',
    print: ({ url, token }) => `${vectorSource}
sinks:
  tripline:
    type: http
    inputs: [logs]
    uri: ${url}/ingest/v1/events
    method: post
    encoding:
      codec: json
    framing:
      method: newline_delimited
    auth:
      strategy: bearer
      token: ${token}`,
  },
  {
    product: 'fluent-bit', name: 'Fluent Bit', file: 'fluent-bit.yaml', language: 'yaml',
    print: ({ host, port, isTls, token }) => `${fluentBitInput}
  outputs:
    - name: http
      match: '*'
      host: ${host}
      port: ${port}
      uri: /ingest/v1/events
      format: json_lines
      json_date_key: '@timestamp'
      json_date_format: iso8601
      tls: ${isTls ? 'on' : 'off'}
      header: Authorization Bearer ${token}`,
  },
  {
    product: 'curl', name: 'curl (a first event)', file: '', language: 'shell',
    print: ({ url, token }) => printCurl(`${url}/ingest/v1/events`, `Bearer ${token}`, '{"message":"hello","host":"ws-1"}'),
  },
]

function printCurl(url: string, authorization: string, body: string): string {
  return `curl '${url}' \\
  -H 'authorization: ${authorization}' \\
  -H 'content-type: application/json' \\
  --data-binary '${body}'`
}
