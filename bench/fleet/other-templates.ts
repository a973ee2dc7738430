import type { JsonValue } from './fleet-values.ts'

/** A kind of event of another product than Windows, whole: see `FleetValues.fill`. */
export type OtherTemplate = { readonly name: string; readonly weight: number; readonly event: { readonly [field: string]: JsonValue } }

const unix = { product: 'linux' } as const

export const otherTemplates: readonly OtherTemplate[] = [
  {
    name: 'Sysmon for Linux, process', weight: 100,
    event: {
      '@timestamp': '{time}', EventID: 1, Channel: 'Linux-Sysmon/Operational', Provider_Name: 'Linux-Sysmon', Computer: '{host}',
      UtcTime: '{utcTime}',
      ProcessGuid: '{braced}', ProcessId: '{pid}', Image: '/usr/bin/{word}', CommandLine: '{unixCommand}',
      CurrentDirectory: '/srv/{word}/{token}', User: '{user}',
      LogonId: '{number}', ParentProcessId: '{pid}', ParentImage: '/usr/bin/bash', ParentCommandLine: '{unixCommand}',
    },
  },
  {
    name: 'Linux auditd, execve', weight: 120,
    event: {
      '@timestamp': '{time}', type: 'EXECVE', node: '{host}', serial: '{number}', pid: '{pid}', ppid: '{pid}', uid: '1000',
      auid: '1000', exe: '/usr/bin/{word}',
      cmdline: '{unixCommand}', a0: '/usr/bin/python3', a1: '/opt/{word}/{token}.py', a2: '--job', a3: '{number}',
      _logsource: { ...unix, service: 'auditd' },
    },
  },
  {
    name: 'Linux sshd', weight: 80,
    event: {
      '@timestamp': '{time}', hostname: '{host}', program: 'sshd', pid: '{#pid}',
      message: 'Accepted publickey for {user} from {privateIp} port {port} ssh2: ED25519 SHA256:{sha1}',
      _logsource: { ...unix, service: 'sshd' },
    },
  },
  {
    name: 'AWS CloudTrail', weight: 250,
    event: {
      '@timestamp': '{time}', eventVersion: '1.09',
      userIdentity: {
        type: 'IAMUser', principalId: 'AIDA{token}', arn: 'arn:aws:iam::{number}:user/{user}', accountId: '{number}',
        accessKeyId: 'AKIA{token}{token}', userName: '{user}',
      },
      eventTime: '{time}', eventSource: 's3.amazonaws.com', eventName: 'GetObject', awsRegion: 'eu-central-1',
      sourceIPAddress: '{publicIp}',
      userAgent: '[aws-sdk-java/{version} Linux/{version}]',
      requestParameters: { bucketName: '{peer}', key: '{word}/{token}/{guid}.parquet' },
      responseElements: null, requestID: '{guid}', eventID: '{guid}', readOnly: true, eventType: 'AwsApiCall', managementEvent: false,
      recipientAccountId: '{number}',
    },
  },
  {
    name: 'AWS CloudTrail, roles', weight: 60,
    event: {
      '@timestamp': '{time}', eventVersion: '1.08', userIdentity: { type: 'AWSService', invokedBy: 'ec2.amazonaws.com' },
      eventTime: '{time}',
      eventSource: 'sts.amazonaws.com', eventName: 'AssumeRole', awsRegion: 'eu-west-1', sourceIPAddress: '{publicIp}',
      userAgent: 'ec2.amazonaws.com',
      requestParameters: { roleArn: 'arn:aws:iam::{number}:role/{word}', roleSessionName: '{peer}' },
      responseElements: { credentials: { accessKeyId: 'ASIA{token}{token}', expiration: '{time}' } }, requestID: '{guid}',
      eventID: '{guid}', eventType: 'AwsApiCall',
    },
  },
  {
    name: 'Zeek conn', weight: 180,
    event: {
      '@timestamp': '{time}', _path: 'conn', ts: '{#seconds}', uid: 'C{token}{token}', 'id.orig_h': '{privateIp}',
      'id.orig_p': '{#port}', 'id.resp_h': '{publicIp}',
      'id.resp_p': '{#servicePort}', proto: 'tcp', service: 'ssl', duration: 0.31, orig_bytes: '{#number}', resp_bytes: '{#number}',
      conn_state: 'SF', history: 'ShADadFf',
    },
  },
  {
    name: 'Zeek dns', weight: 120,
    event: {
      '@timestamp': '{time}', _path: 'dns', ts: '{#seconds}', uid: 'C{token}{token}', 'id.orig_h': '{privateIp}',
      'id.orig_p': '{#port}', 'id.resp_h': '10.0.0.2', 'id.resp_p': 53,
      proto: 'udp', trans_id: '{#number}', query: '{domain}', qclass: 1, qclass_name: 'C_INTERNET', qtype: 1, qtype_name: 'A', rcode: 0,
      rcode_name: 'NOERROR', answers: ['{publicIp}'], Z: 0, rejected: false,
    },
  },
  {
    name: 'proxy', weight: 180,
    event: {
      '@timestamp': '{time}', 'c-ip': '{privateIp}', 'cs-username': '{user}', 'cs-method': 'GET', 'c-uri': 'https://{domain}{uri}',
      'cs-host': '{domain}', 'c-uri-stem': '{uri}',
      'c-useragent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) '
        + 'Chrome/128.0.{number}.0 Safari/537.36',
      'sc-status': 200, 'sc-bytes': '{#number}',
      _logsource: { category: 'proxy' },
    },
  },
]
