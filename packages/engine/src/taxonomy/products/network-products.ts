import { toFieldAliases } from '../field-aliases.ts'
import type { EventObject } from '../../event/event.ts'
import { readPath } from '../read-own-value.ts'
import { isNumber, isObjectOrArray, isOneOf, isText } from './field-matchers.ts'
import type { Product } from './product.ts'

/** Field names of rules for firewalls and proxies, and where formats of log management have them. */
function networkAliases(names: { readonly [rule: string]: string }, prefix: string) {
  return toFieldAliases(Object.fromEntries(Object.entries(names).map(([field, name]) => [field, [`${prefix}.${name}`]])))
}

const cefAliases = networkAliases({
  src_ip: 'src', src_port: 'spt', dst_ip: 'dst', dst_port: 'dpt', action: 'act', 'c-ip': 'src', 'c-uri': 'request',
  'cs-method': 'requestMethod', 'c-useragent': 'requestClientApplication', 'cs-user-agent': 'requestClientApplication',
  'cs-host': 'dhost', 'r-dns': 'dhost',
  'cs-username': 'suser', 'cs-referer': 'requestContext', 'sc-status': 'outcome',
}, 'cef.extensions')

const leefAliases = networkAliases({
  src_ip: 'src', src_port: 'srcPort', dst_ip: 'dst', dst_port: 'dstPort', action: 'action', 'c-ip': 'src', 'c-uri': 'url',
  'cs-method': 'method', 'c-useragent': 'userAgent', 'cs-host': 'host', 'cs-username': 'usrName',
}, 'leef.attributes')

const suricataHttpAliases = toFieldAliases({
  'c-uri': ['http.url'], 'cs-host': ['http.hostname'], 'r-dns': ['http.hostname'], 'cs-method': ['http.http_method'],
  'c-useragent': ['http.http_user_agent'], 'cs-referer': ['http.http_refer'], 'sc-status': ['http.status'], 'c-ip': ['src_ip'],
  'dst_ip': ['dest_ip'], 'dst_port': ['dest_port'],
})

const ocsfAliases = toFieldAliases({
  Image: ['process.file.path'], CommandLine: ['process.cmd_line'], CurrentDirectory: ['process.working_directory'],
  ProcessId: ['process.pid'],
  User: ['process.user.name', 'actor.user.name'], ParentImage: ['process.parent_process.file.path', 'actor.process.file.path'],
  ParentCommandLine: ['process.parent_process.cmd_line', 'actor.process.cmd_line'],
  ParentProcessId: ['process.parent_process.pid', 'actor.process.pid'],
  IntegrityLevel: ['process.integrity'], Computer: ['device.hostname'],
})

/** Operating systems as OCSF and its producers write them. */
const ocsfSystems = new Map(([
  ['windows', 'Windows', 'windows'], ['linux', 'Linux', 'linux'], ['macos', 'macOS', 'macos'],
] as const).flatMap(([product, ...names]) => {
  const logsources = [{ category: 'process_creation', product }]
  return names.map((name) => [name, logsources] as const)
}))

/** Products that log what passes a network, and schemas that several products share. */
export const networkProducts: readonly Product[] = [
  {
    name: 'Suricata DNS',
    matchers: { event_type: isOneOf(['dns']), 'dns.rrname': isText },
    logsources: [{ category: 'dns' }, { product: 'suricata', service: 'dns' }],
    read: (event) => withField(event, 'query', ['dns', 'rrname']),
  },
  {
    name: 'Suricata HTTP',
    matchers: { event_type: isOneOf(['http']), http: isObjectOrArray, flow_id: isNumber },
    logsources: [{ category: 'proxy' }, { product: 'suricata', service: 'http' }],
    aliases: suricataHttpAliases,
  },
  {
    name: 'Suricata alert',
    matchers: { event_type: isOneOf(['alert']), 'alert.signature': isText },
    logsources: [{ product: 'suricata', service: 'alert' }],
  },
  {
    name: 'OCSF process launch',
    matchers: { class_uid: isOneOf([1_007]), activity_id: isOneOf([1]), process: isObjectOrArray },
    logsources: [],
    services: { path: 'device.os.name', table: ocsfSystems },
    aliases: ocsfAliases,
  },
  {
    name: 'OCSF DNS activity',
    matchers: { class_uid: isOneOf([4_003]), 'query.hostname': isText },
    logsources: [{ category: 'dns' }],
    read: (event) => withField(event, 'query', ['query', 'hostname']),
  },
  {
    name: 'CEF of a proxy',
    matchers: { 'cef.extensions.request': isText, 'cef.extensions.requestMethod': isText },
    logsources: [{ category: 'proxy' }],
    aliases: cefAliases,
  },
  {
    name: 'CEF of a firewall',
    matchers: { 'cef.extensions.dst': isText, 'cef.extensions.dpt': isText },
    logsources: [{ category: 'firewall' }],
    aliases: cefAliases,
  },
  {
    name: 'LEEF of a proxy',
    matchers: { 'leef.attributes.url': isText },
    logsources: [{ category: 'proxy' }],
    aliases: leefAliases,
  },
  {
    name: 'LEEF of a firewall',
    matchers: { 'leef.attributes.dst': isText, 'leef.attributes.dstPort': isText },
    logsources: [{ category: 'firewall' }],
    aliases: leefAliases,
  },
]

/** The event with a field that rules name and the product has deeper inside. */
function withField(event: EventObject, name: string, steps: readonly string[]): EventObject {
  return { ...event, [name]: readPath(event, steps) }
}
