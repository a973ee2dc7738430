import type { ShipperTable } from './shipper-configuration.ts'

/** Where most systems keep the certificates that they trust. */
const trusted = '/etc/ssl/certs/ca-certificates.crt'

/** Products that send syslog to a port of a connector. */
export const syslogShippers: ShipperTable = [
  {
    product: 'rsyslog', name: 'rsyslog', file: '/etc/rsyslog.d/tripline.conf', language: 'rsyslog',
    print: ({ host, syslog: { port, transport } }) => {
      const tls = `
       StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/name" StreamDriverPermittedPeers="${host}"`
      const framing = transport === 'udp' ? '' : 'TCP_Framing="octet-counted" '
      return `${transport === 'tls' ? `global(DefaultNetstreamDriverCAFile="${trusted}")\n` : ''}\
action(type="omfwd" target="${host}" port="${port}" protocol="${transport === 'udp' ? 'udp' : 'tcp'}"${transport === 'tls' ? tls : ''}
       ${framing}template="RSYSLOG_SyslogProtocol23Format"
       action.resumeRetryCount="-1" queue.type="LinkedList"
       queue.filename="tripline" queue.saveOnShutdown="on")`
    },
  },
  {
    product: 'syslog-ng', name: 'syslog-ng', file: '/etc/syslog-ng/conf.d/tripline.conf', language: 'syslog-ng',
    print: ({ host, syslog: { port, transport } }) => {
      const tls = transport === 'tls' ? ` tls(ca-file("${trusted}") peer-verify(required-trusted))` : ''
      const buffer = transport === 'udp' ? '' : '\n    disk-buffer(reliable(yes) disk-buf-size(1073741824) mem-buf-size(16777216))'
      return `destination d_tripline {
  syslog("${host}" port(${port}) transport("${transport}")${tls}${buffer});
};
log { source(s_src); destination(d_tripline); };`
    },
  },
  {
    product: 'fluent-bit', name: 'Fluent Bit', file: 'fluent-bit.yaml', language: 'yaml',
    print: ({ host, syslog: { port, transport } }) => `pipeline:
  inputs:
    - name: systemd
      tag: journal
  outputs:
    - name: syslog
      match: '*'
      host: ${host}
      port: ${port}
      mode: ${transport}
      syslog_format: rfc5424
      syslog_hostname_key: _HOSTNAME
      syslog_appname_key: SYSLOG_IDENTIFIER
      syslog_message_key: MESSAGE`,
  },
  {
    product: 'splunk-forwarder', name: 'Splunk universal forwarder', file: '$SPLUNK_HOME/etc/system/local/outputs.conf', language: 'ini',
    // Raw lines: what forwarders send to indexers by default, and over HTTP, is a protocol of theirs.
    print: ({ host, syslog: { port } }) => `[tcpout]
defaultGroup = tripline

[tcpout:tripline]
server = ${host}:${port}
sendCookedData = false`,
  },
  {
    product: 'logger', name: 'logger (a first message)', file: '', language: 'shell',
    print: ({ host, syslog: { port, transport } }) => {
      const way = transport === 'udp' ? '--udp' : '--tcp --octet-count'
      return `logger --server ${host} --port ${port} ${way} --tag sshd 'Failed password for root from 203.0.113.9 port 4711 ssh2'`
    },
  },
]
