/**
 * Where events keep what analysts look for first. The kinds are those of OCSF's observables, with the words that people
 * type for them; alerts, enrichment and searches all read this one table.
 */
export type ObservableKind = keyof typeof observableFields

/** One row: the words that mean the kind in a query, and the fields that hold it, the best source first. */
type ObservableRow = {
  /** Words of a query that stand for all fields of the row; a word of a query that is no such word is one field alone. */
  readonly words: readonly string[]
  readonly fields: readonly string[]
}

/**
 * Field names are those that rules read (Sigma's), then those of collectors and products. Of a kind that has one value
 * the first field with a value counts; of the others every field does.
 */
export const observableFields = {
  /** The machine where it happened. */
  host: {
    words: ['host', 'hostname', 'host.name', 'host.hostname', 'Computer', 'computer', 'ComputerName', 'computer_name'],
    fields: [
      // A message of syslog may come from a relay, which its header names.
      'cef.extensions.dvchost', 'leef.attributes.identHostName',
      'Computer', 'Hostname', 'winlog.computer_name', 'computer_name', 'ComputerName', 'MachineName', 'host.name', 'host.hostname',
      'hostname', 'host', 'HostName', 's-computername', 'DeviceName', 'device.hostname', 'device_name', 'dvchost', 'computer', 'node',
      'nodename', '_HOSTNAME', 'agent.hostname', 'beat.hostname', 'observer.hostname', 'kubernetes.node.name', 'log.syslog.hostname',
      'node_id', 'devname',
    ],
  },
  /** The cloud account, tenant, organisation or cluster where it happened: what stands for the machine where there is none. */
  account: {
    words: ['account', 'cloud.account.id'],
    fields: [
      'cloud.account.id', 'recipientAccountId', 'userIdentity.accountId', 'resource.labels.project_id', 'tenantId', 'TenantId',
      'properties.tenantId', 'OrganizationId', 'organization.id', 'org', 'business', 'account_id', 'annotations.cluster', 'cluster',
    ],
  },
  /** Who did it. */
  user: {
    words: ['user', 'username', 'user_name', 'user.name', 'User'],
    fields: [
      'User', 'SourceUser', 'TargetUserName', 'SubjectUserName', 'AccountName', 'UserName', 'user.name', 'winlog.user.name', 'user',
      'username', 'user_name', 'userName', 'userIdentity.userName', 'userIdentity.sessionContext.sessionIssuer.userName',
      'userIdentity.arn', 'userIdentity.principalId', 'userIdentity.invokedBy', 'userIdentity.type', 'cs-username', 'c-username',
      'user.username', 'impersonatedUser.username', 'initiatedBy.user.userPrincipalName',
      'properties.initiatedBy.user.userPrincipalName', 'properties.userPrincipalName', 'userPrincipalName', 'UserPrincipalName',
      'initiatedBy.app.displayName', 'properties.initiatedBy.app.displayName', 'identity', 'caller', 'Caller', 'UserId',
      'actor.alternateId', 'actor.email', 'actor.user.email', 'actor.user.name', 'sender.login', 'actor.displayName',
      'actor.login', 'actor', 'actor_user_name',
      'protoPayload.authenticationInfo.principalEmail', 'logdata.USERNAME', 'acct', 'AUID', 'UID', 'auid', 'uid', 'SourceUserName',
      'CreatedProcessAccountName', 'suser', 'src_user', 'usrName',
      'cef.extensions.suser', 'cef.extensions.duser', 'leef.attributes.usrName',
    ],
  },
  /** The program that acted, with its folders where the event has them. */
  process: {
    words: ['process', 'process_name', 'process.name', 'process_path'],
    fields: [
      'Image', 'NewProcessName', 'SourceImage', 'ProcessName', 'process_path', 'process.executable',
      'process.executable.path', 'process.name',
      'process_name', 'process', 'CallerProcessName', 'Application', 'ProcessPath', 'CreatedProcessName', 'CreatedProcessImageFileName',
      'exe', 'comm', 'a0', 'program', 'programname', 'SYSLOG_IDENTIFIER', '_COMM', 'ImagePath', 'TargetImage',
      'cef.extensions.sproc', 'cef.extensions.deviceProcessName', 'cef.extensions.dproc',
    ],
  },
  parentProcess: {
    words: ['parent_process', 'parent_process_name', 'process.parent.name'],
    fields: [
      'ParentImage', 'ParentProcessName', 'process.parent.executable', 'process.parent.name', 'parent_process_path',
      'parent_process_name', 'parent_process',
    ],
  },
  commandLine: {
    words: ['command_line', 'cmdline', 'process.command_line', 'CommandLine'],
    fields: [
      'CommandLine', 'ProcessCommandLine', 'process.command_line', 'command_line', 'cmdline', 'CreatedProcessCommandLine', 'proctitle',
      'COMMAND', 'command',
    ],
  },
  /** The address that it came from. */
  sourceAddress: {
    words: ['source_ip', 'src_ip', 'source.ip', 'SourceIp'],
    fields: [
      'SourceIp', 'source.ip', 'source.address', 'src_ip', 'source_ip', 'IpAddress', 'sourceIPAddress', 'SourceAddress', 'id.orig_h',
      'c-ip', 'client.ip', 'client.address', 'client_ip', 'ClientAddress', 'ClientIP', 'ClientIPAddress', 'clientIP', 'callerIpAddress',
      'properties.ipAddress', 'ipAddress', 'IPAddress', 'client.ipAddress', 'protoPayload.requestMetadata.callerIp', 'sourceIPs',
      'actor_ip', 'ActorIpAddress', 'remote_ip', 'src', 'src_host', 'addr', 'saddr', 'ipaddr', 'srcip', 'ip',
      'cef.extensions.src', 'leef.attributes.src',
    ],
  },
  /** Addresses of the machine where it happened, not of those that it talked to. */
  hostAddress: {
    words: [],
    fields: ['host.ip', 'host_ip', 'device_ip', 'src_ip', 'SourceIp', 'source.ip', 'source.address', 'c-ip', 'client.ip'],
  },
  /** Every address in the event. */
  address: {
    words: ['ip', 'address'],
    fields: [
      'SourceIp', 'DestinationIp', 'host.ip', 'host_ip', 'device_ip', 'src_ip', 'dst_ip', 'source.ip', 'source.address', 'source_ip',
      'destination.ip', 'destination.address', 'destination_ip', 'dest_ip', 'server.ip', 'client.ip', 'client.address', 'client_ip',
      'IpAddress', 'IPAddress', 'ipAddress', 'SourceAddress', 'DestAddress', 'ClientAddress', 'ClientIP', 'ClientIPAddress', 'clientIP',
      'sourceIPAddress', 'sourceIPs', 'callerIpAddress', 'properties.ipAddress', 'client.ipAddress',
      'protoPayload.requestMetadata.callerIp', 'ActorIpAddress', 'actor_ip', 'remote_ip', 'id.orig_h', 'id.resp_h', 'c-ip', 's-ip',
      'r-ip', 'cs-ip', 'src', 'dst', 'src_host', 'dst_host', 'srcip', 'dstip', 'ip', 'addr', 'saddr', 'ipaddr', 'dns.resolved_ip',
      'QueryResults', 'cef.extensions.src', 'cef.extensions.dst', 'cef.extensions.dvc', 'leef.attributes.src', 'leef.attributes.dst',
    ],
  },
  hash: {
    words: ['hash'],
    fields: [
      'Hashes', 'Hash', 'hash', 'hashes', 'md5', 'sha1', 'sha256', 'sha512', 'file.hash.md5', 'file.hash.sha1', 'file.hash.sha256',
      'file.hash.sha512', 'process.hash.md5', 'process.hash.sha1', 'process.hash.sha256', 'process.hash.sha512', 'dll.hash.sha256',
      'FileHash', 'cef.extensions.fileHash',
    ],
  },
  domain: {
    words: ['domain'],
    fields: [
      'QueryName', 'query', 'dns.question.name', 'dns_query', 'DestinationHostname', 'destination.domain', 'url.domain', 'server.domain',
      'cs-host', 'r-dns', 'domain', 'tls.client.server_name', 'server_name', 'QueryResults',
    ],
  },
  url: {
    words: ['url'],
    fields: [
      'url', 'url.full', 'url.original', 'c-uri', 'cs-uri', 'http.url', 'request_url', 'requestUrl', 'DestinationUrl',
      'cef.extensions.request',
    ],
  },
  email: {
    words: ['email'],
    fields: [
      'email.from.address', 'email.sender.address', 'email.reply_to.address', 'email.to.address', 'sender', 'SenderAddress', 'from',
      'P1Sender', 'P2Sender', 'user.email', 'actor.email',
    ],
  },
} as const satisfies { readonly [kind: string]: ObservableRow }

export type FieldsOfKind = readonly [kind: ObservableKind, fields: readonly string[]]

/** Products that mean something else by a field than others do: fields of a kind to pass over, and fields to add. */
export const observableExceptions: readonly {
  readonly product?: string
  readonly service?: string
  readonly category?: string
  readonly passedOver: readonly FieldsOfKind[]
  /** Fields that hold the kind in events of this product alone; they come last. */
  readonly added?: readonly FieldsOfKind[]
}[] = [
  // An audit record's `hostname` and `addr` are those of the far side; its own machine is `node`, and without one the `host` that a
  // collector adds. The identifiers of its users are numbers, of which only the login's tells who it was.
  {
    product: 'linux', service: 'auditd', passedOver: [['host', ['hostname', 'host']], ['sourceAddress', ['saddr']]],
    added: [['host', ['host']]],
  },
  // A proxy says which machine asked by its address alone, and which site was asked for; a web server which of its
  // addresses was asked.
  { category: 'proxy', passedOver: [['host', ['host', 'hostname', 'HostName', 's-computername']]], added: [['host', ['c-ip']]] },
  { category: 'webserver', passedOver: [], added: [['host', ['s-ip']]] },
  // Zeek's `host` is the site that was asked for; `uid` is the connection's.
  { product: 'zeek', passedOver: [['host', ['host', 'hostname', 'host.name']], ['user', ['uid']]], added: [['host', ['id.orig_h']]] },
  // The far side again, and the name of the sensor's configuration.
  { product: 'opencanary', passedOver: [['host', ['hostname']]] },
]

/**
 * Events of Windows about a security group, which name the group as `TargetUserName` where others name an account: made, changed,
 * deleted, a member added or removed (global 4727 to 4730 and 4737, local 4731 to 4735, universal 4754 to 4758), its type changed
 * (4764), its members listed (4799), and the same of distribution groups (4744 to 4753, 4759 to 4763).
 */
export const groupEventIds: ReadonlySet<number> = new Set([
  4727, 4728, 4729, 4730, 4731, 4732, 4733, 4734, 4735, 4737, 4744, 4745, 4746, 4747, 4748, 4749, 4750, 4751, 4752, 4753, 4754, 4755,
  4756, 4757, 4758, 4759, 4760, 4761, 4762, 4763, 4764, 4799,
])

/** Every field that holds a kind in events of some product: those that a word for it is looked for in. */
export function listObservableFields(kind: ObservableKind): readonly string[] {
  const added = observableExceptions.flatMap((row) => row.added ?? []).filter(([of]) => of === kind)
  return [...new Set([...observableFields[kind].fields, ...added.flatMap(([, fields]) => fields)])]
}
