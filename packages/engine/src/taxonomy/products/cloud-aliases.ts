import type { FieldAliases } from '../../event/event.ts'
import { toFieldAliases } from '../field-aliases.ts'

/** The shapes in which the logs of Entra ID come: exported to an event hub or storage, as rows of Log Analytics, and of Graph. */
type EntraShape = 'exported' | 'table' | 'graph'

/** What one fact of these logs is called: in rules, which mix the names of all shapes, and in each shape. */
type EntraField = readonly [rules: readonly string[], exported: readonly string[], table: readonly string[], graph: readonly string[]]

/** A fact that the export has below `properties`, Graph under the same name, and Log Analytics with a capital. */
function field(name: string, ...rules: readonly string[]): EntraField {
  const capital = toCapital(name)
  return [[name, capital, `properties.${name}`, ...rules], [`properties.${name}`], [capital], [name]]
}

const entraFields: readonly EntraField[] = [
  // Rules mean the activity of an audit log, or how a sign-in was made.
  [['properties.message'], ['properties.authenticationProtocol', 'properties.activityDisplayName', 'operationName'],
    ['AuthenticationProtocol', 'ActivityDisplayName', 'OperationName', 'OperationNameValue'],
    ['authenticationProtocol', 'activityDisplayName']],
  [['operationName', 'OperationName'], ['operationName'], ['OperationName', 'OperationNameValue'], ['activityDisplayName']],
  [['ResultType', 'resultType'], ['resultType', 'properties.status.errorCode'], ['ResultType'], ['status.errorCode']],
  [['ResultDescription', 'Resultdescription'], ['resultDescription', 'properties.status.failureReason'], ['ResultDescription'],
    ['status.failureReason']],
  [['Status', 'properties.result'], ['properties.result'], ['Result'], ['result']],
  [['Category'], ['properties.category'], [], ['category']],
  [['callerIpAddress', 'IPaddress', 'IPAddress'], ['callerIpAddress', 'properties.ipAddress'], ['IPAddress'], ['ipAddress']],
  [['location', 'Location'], ['location'], ['Location'], ['location.countryOrRegion']],
  [['ClientApp'], ['properties.clientAppUsed'], ['ClientAppUsed'], ['clientAppUsed']],
  field('activityDisplayName', 'ActivityType', 'activityType'), field('appId'), field('authenticationRequirement'),
  field('conditionalAccessStatus'), field('homeTenantId'), field('initiatedBy', 'Initiatedby'), field('loggedByService'),
  field('networkLocationDetails'), field('resourceDisplayName'), field('resourceTenantId'), field('riskEventType'), field('riskState'),
  field('targetResources'), field('userAgent'),
  ...['isCompliant', 'deviceId', 'trustType'].map((name) => below('deviceDetail', name)),
  ...['type', 'modifiedProperties'].map((name) => below('targetResources', name)),
  ...['displayName', 'newValue'].map((name) => below('targetResources', `modifiedProperties.${name}`)),
]

/** A member of such a fact, which rules write in several cases. */
function below(name: string, path: string): EntraField {
  const capital = toCapital(name)
  const spellings = [path, path.toLowerCase(), path.split('.').map(toCapital).join('.')]
  const rules = [name, capital, `properties.${name}`].flatMap((first) => spellings.map((rest) => `${first}.${rest}`))
  return [rules, [`properties.${name}.${path}`], [`${capital}.${path}`], [`${name}.${path}`]]
}

function toCapital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const columns = { exported: 1, table: 2, graph: 3 } as const satisfies { readonly [shape in EntraShape]: number }

function entraAliases(shape: EntraShape): FieldAliases {
  return toFieldAliases(Object.fromEntries(entraFields.flatMap((entry) => (
    entry[0].map((name) => [name, entry[columns[shape]].filter((path) => path !== name)] as const).filter(([, paths]) => paths.length > 0)
  ))))
}

/** Where the logs of Entra ID have the fields of rules, by shape. */
export const entraShapes: { readonly [shape in EntraShape]: FieldAliases } = {
  exported: entraAliases('exported'), table: entraAliases('table'), graph: entraAliases('graph'),
}

const payload = ['serviceName', 'methodName', 'authorizationInfo.permission', 'authorizationInfo.granted', 'resource.type', 'logName']

/** Cloud Audit Logs; rules also read them as Pub/Sub wraps them, and under the name that a collector gives the method. */
export const googleAliases: FieldAliases = toFieldAliases({
  'gcp.audit.method_name': ['protoPayload.methodName'],
  'protoPayload.Servicename': ['protoPayload.serviceName'],
  eventService: ['protoPayload.serviceName'],
  eventName: ['protoPayload.metadata.event.eventName'],
  ...Object.fromEntries(payload.map((path) => [`data.protoPayload.${path}`, [`protoPayload.${path}`, path]])),
})

/** The admin and login activities of the reports API. */
export const workspaceAliases: FieldAliases = toFieldAliases({
  eventName: ['events.name'], 'protoPayload.metadata.event.eventName': ['events.name'],
})

/** What rules name without its place in the object that a request refers to or carries. */
export const kubernetesAliases: FieldAliases = toFieldAliases({
  apiGroup: ['objectRef.apiGroup'], hostPath: ['requestObject.spec.volumes.hostPath'],
  capabilities: ['requestObject.spec.containers.securityContext.capabilities.add'],
})

/** Zeek's log of HTTP requests and of DNS queries, with the names of rules for proxies and DNS. */
export const zeekAliases: FieldAliases = toFieldAliases({
  'c-uri': ['uri'], 'c-useragent': ['user_agent'], 'cs-user-agent': ['user_agent'], 'cs-method': ['method'], 'http.method': ['method'],
  'cs-host': ['host'], 'r-dns': ['host'], 'cs-referer': ['referrer'], 'cs-username': ['username'], 'sc-status': ['status_code'],
  'c-ip': ['id.orig_h'], src_ip: ['id.orig_h'], src_port: ['id.orig_p'], dst_ip: ['id.resp_h'], dst_port: ['id.resp_p'],
  record_type: ['qtype_name'], answer: ['answers'],
})
