import type { Logsource } from '../../event/event.ts'
import { readAzureRestShape } from '../shape-azure.ts'
import { readEndpointSecurityShape } from '../shape-macos.ts'
import { entraShapes, googleAliases, kubernetesAliases, workspaceAliases, zeekAliases } from './cloud-aliases.ts'
import {
  hasSuffix, isAbsent, isNumber, isObjectOrArray, isScalar, isText, isOneOf, isOneOrMoreOf, hasPrefix, hasPrefixIgnoringCase,
} from './field-matchers.ts'
import { networkProducts } from './network-products.ts'
import type { Product } from './product.ts'
import {
  auditRecordTypes, azureActivityCategories, azureDirectoryServices, azureTableServices, githubAreas, syslogServices,
  zeekLogs,
} from './product-tables.ts'

const auditLog = 'type.googleapis.com/google.cloud.audit.AuditLog'

/** Cloud Audit Logs include the activity of Google Workspace. */
const googleAuditServices = new Map<string, readonly Logsource[]>([
  ['admin.googleapis.com', gcpServices('gcp.audit', 'google_workspace.admin')],
  ['login.googleapis.com', gcpServices('gcp.audit', 'google_workspace.login')],
])

const workspaceServices = new Map<string, readonly Logsource[]>([
  ['admin', gcpServices('google_workspace.admin')],
  ['login', gcpServices('google_workspace.login')],
])

/** The products in order of precedence. */
export const products: readonly Product[] = [
  {
    name: 'AWS CloudTrail',
    matchers: { eventSource: hasSuffix('.amazonaws.com'), eventName: isText },
    logsources: [{ product: 'aws', service: 'cloudtrail' }],
  },
  {
    name: 'Zeek',
    matchers: { _path: isText, ts: isScalar },
    logsources: [{ product: 'zeek' }],
    services: { path: '_path', table: zeekLogs },
    aliases: zeekAliases,
  },
  {
    name: 'Google Cloud audit log',
    matchers: { 'protoPayload.@type': isOneOf([auditLog]) },
    logsources: gcpServices('gcp.audit'),
    services: { path: 'protoPayload.serviceName', table: googleAuditServices },
    aliases: googleAliases,
  },
  {
    name: 'Google Cloud audit log without its type',
    matchers: { 'protoPayload.methodName': isText, 'protoPayload.serviceName': isText, 'protoPayload.@type': isAbsent },
    logsources: gcpServices('gcp.audit'),
    services: { path: 'protoPayload.serviceName', table: googleAuditServices },
    aliases: googleAliases,
  },
  {
    name: 'Google Workspace activity',
    matchers: { kind: isOneOf(['admin#reports#activity']), 'id.applicationName': isOneOf(workspaceServices.keys()) },
    logsources: [],
    services: { path: 'id.applicationName', table: workspaceServices },
    aliases: workspaceAliases,
  },
  {
    name: 'Azure in Log Analytics',
    matchers: { Type: isOneOf(azureTableServices.keys()), TenantId: isText },
    logsources: [],
    services: { path: 'Type', table: azureTableServices },
    aliases: entraShapes.table,
  },
  {
    name: 'Microsoft Entra ID, exported',
    matchers: { category: isOneOf(azureDirectoryServices.keys()), properties: isObjectOrArray, operationName: isText },
    logsources: [],
    services: { path: 'category', table: azureDirectoryServices },
    aliases: entraShapes.exported,
  },
  {
    name: 'Microsoft Entra ID sign-in of Graph',
    matchers: { 'status.errorCode': isNumber, createdDateTime: isText, appId: isText },
    logsources: [{ product: 'azure', service: 'signinlogs' }],
    aliases: entraShapes.graph,
  },
  {
    name: 'Microsoft Entra ID audit of Graph',
    matchers: { activityDisplayName: isText, activityDateTime: isText, targetResources: isObjectOrArray },
    logsources: [{ product: 'azure', service: 'auditlogs' }],
    aliases: entraShapes.graph,
  },
  {
    name: 'Azure activity log, exported',
    matchers: {
      resourceId: hasPrefixIgnoringCase('/subscriptions/'), category: isOneOf(azureActivityCategories), operationName: isText,
    },
    logsources: [{ product: 'azure', service: 'activitylogs' }],
  },
  {
    name: 'Azure activity log of the REST API',
    matchers: { 'operationName.localizedValue': isText, 'operationName.value': isText },
    logsources: [{ product: 'azure', service: 'activitylogs' }],
    read: readAzureRestShape,
  },
  {
    name: 'Microsoft Entra ID risk detection',
    matchers: { riskEventType: isText },
    // Rules for Privileged Identity Management read the same field of the same objects.
    logsources: [{ product: 'azure', service: 'riskdetection' }, { product: 'azure', service: 'pim' }],
  },
  {
    name: 'Microsoft 365 audit log',
    matchers: { Workload: isText, Operation: isText, RecordType: isScalar },
    logsources: [{ product: 'm365', service: 'audit' }],
  },
  {
    name: 'Microsoft 365 security and compliance alert',
    matchers: { eventSource: isOneOf(['SecurityComplianceCenter']), eventName: isText },
    logsources: [{ product: 'm365', service: 'threat_management' }, { product: 'm365', service: 'threat_detection' }],
  },
  {
    name: 'Okta',
    matchers: { eventType: isText, published: isText, actor: isObjectOrArray },
    logsources: [{ product: 'okta', service: 'okta' }],
  },
  {
    name: 'Okta without its time',
    matchers: { legacyEventType: isText, eventType: isText },
    logsources: [{ product: 'okta', service: 'okta' }],
  },
  {
    name: 'GitHub audit log',
    matchers: { actor: isText, action: isGithubAction },
    oneOfFields: ['_document_id', 'org', 'repo', 'business'],
    logsources: [{ product: 'github', service: 'audit' }],
  },
  {
    name: 'Kubernetes audit log',
    matchers: { kind: isOneOf(['Event']), apiVersion: hasPrefix('audit.k8s.io/') },
    logsources: [{ category: 'application', product: 'kubernetes', service: 'audit' }],
    aliases: kubernetesAliases,
  },
  {
    name: 'Kubernetes audit log without its version',
    matchers: { objectRef: isObjectOrArray, kind: isOneOf(['Event']), verb: isText },
    logsources: [{ category: 'application', product: 'kubernetes', service: 'audit' }],
    aliases: kubernetesAliases,
  },
  {
    name: 'OneLogin',
    matchers: { event_type_id: isScalar, actor_user_id: isScalar },
    logsources: [{ product: 'onelogin', service: 'onelogin.events' }],
  },
  {
    name: 'OpenCanary',
    matchers: { logtype: isNumber, node_id: isText, logdata: isObjectOrArray },
    logsources: [{ category: 'application', product: 'opencanary' }],
  },
  {
    name: 'FortiGate event log',
    matchers: { devid: hasPrefix('FG'), logid: isScalar, type: isOneOf(['event']) },
    logsources: [{ product: 'fortigate', service: 'event' }],
  },
  ...([
    ['exec', 'process_creation'], ['create', 'file_event'], ['rename', 'file_rename'], ['unlink', 'file_delete'],
  ] as const).map(([action, category]): Product => ({
    name: `macOS Endpoint Security ${action}`,
    matchers: { mach_time: isNumber, schema_version: isNumber, [`event.${action}`]: isObjectOrArray },
    logsources: [{ category, product: 'macos' }],
    read: readEndpointSecurityShape,
  })),
  {
    name: 'macOS Endpoint Security',
    matchers: { mach_time: isNumber, schema_version: isNumber, event: isObjectOrArray },
    logsources: [{ product: 'macos' }],
    read: readEndpointSecurityShape,
  },
  {
    name: 'Linux audit record',
    // Records of one audit event are joined: their types are a list.
    matchers: { type: isOneOrMoreOf(auditRecordTypes) },
    oneOfFields: ['auid', 'serial', 'item', 'a0', 'proctitle', 'cwd', 'saddr'],
    logsources: [{ product: 'linux', service: 'auditd' }],
  },
  // The program name in syslog, rsyslog, journald and ECS, which the server's own listeners print.
  ...(['program', 'programname', 'SYSLOG_IDENTIFIER', 'log.syslog.appname'] as const).map((path): Product => ({
    name: `Linux program in ${path}`,
    matchers: { [path]: isOneOf(syslogServices.keys()) },
    oneOfFields: ['message', 'msg', 'MESSAGE'],
    logsources: [],
    services: { path, table: syslogServices },
  })),
  ...networkProducts,
  {
    name: 'web proxy',
    matchers: { 'c-uri': isText },
    logsources: [{ category: 'proxy' }],
  },
  {
    name: 'web server',
    matchers: { 'cs-uri-stem': isText, 'cs-method': isText },
    logsources: [{ category: 'webserver' }],
  },
]

function gcpServices(...services: readonly string[]): readonly Logsource[] {
  return services.map((service) => ({ product: 'gcp', service }))
}

function isGithubAction(value: unknown): boolean {
  return typeof value === 'string' && value.includes('.') && githubAreas.has(value.slice(0, value.indexOf('.')))
}
