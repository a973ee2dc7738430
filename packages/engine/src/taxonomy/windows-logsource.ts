import type { EventObject, Logsource } from '../event/event.ts'
import type { WindowsAliasKind } from './field-aliases.ts'
import { readOwnText, readOwnValue } from './read-own-value.ts'
import { kernelFileCategories, kernelFileProvider, windowsCategories } from './windows-categories.ts'
import type { CategoryRow } from './windows-categories.ts'
import { providerChannels, linuxSysmonChannel, rpcFirewallChannel, windowsChannels } from './windows-channels.ts'
import { toInteger } from './windows-fields.ts'

/** The kind of a Windows event: its logsources, one for each category, and its field aliases. */
type WindowsKind = {
  /** Created once, at module load. */
  readonly logsources: readonly Logsource[]
  readonly aliases: WindowsAliasKind
}

const unknownChannel: WindowsKind = { logsources: [{ product: 'windows' }], aliases: 'none' }

/** Finds the kind of a Windows event by channel, event id and `EventType`; the header has the names of rules. */
export function classifyWindowsEvent(fields: EventObject): WindowsKind {
  const source = findRoute(fields)
  if (source === undefined) return unknownChannel
  const entry = source.events.get(toInteger(readOwnValue(fields, 'EventID')) ?? -1)
  if (entry === undefined) return source.otherwise
  if (entry.byEventType === undefined) return entry.kind
  return entry.byEventType.get(readOwnText(fields, 'EventType')?.toLowerCase() ?? '') ?? entry.kind
}

/** The kinds of events of a channel, or of a provider without one, by event id. */
type ChannelRoute = { readonly otherwise: WindowsKind; readonly events: ReadonlyMap<number, EventRoute> }
type EventRoute = { readonly kind: WindowsKind; readonly byEventType?: Map<string, WindowsKind> }

const routesByChannel: ReadonlyMap<string, ChannelRoute> = new Map([
  ...windowsChannels.map(([channel, ...services]): [string, ChannelRoute] => (
    [channel.toLowerCase(), buildRoute('windows', services)]
  )),
  [linuxSysmonChannel.toLowerCase(), buildRoute('linux', ['sysmon'])],
  [rpcFirewallChannel.toLowerCase(), {
    otherwise: {
      logsources: [{ product: 'windows' }, { product: 'rpc_firewall', category: 'application' }],
      aliases: 'rpcFirewall',
    },
    events: new Map(),
  }],
])

const kernelFileRoute: ChannelRoute = {
  otherwise: unknownChannel,
  events: new Map(kernelFileCategories.map(([eventId, category]) => (
    [eventId, { kind: { logsources: [{ product: 'windows', category }], aliases: 'none' } }]
  ))),
}

const routesByProvider: ReadonlyMap<string, ChannelRoute | undefined> = new Map(
  providerChannels.map(([provider, channel]) => [provider, routesByChannel.get(channel.toLowerCase())]),
)

/** Characters of the longest known channel; longer channels are unknown. */
const channelLengthMax = Math.max(...[...routesByChannel.keys()].map(({ length }) => length))

function findRoute(fields: EventObject): ChannelRoute | undefined {
  const provider = readOwnText(fields, 'Provider_Name')
  if (provider === kernelFileProvider) return kernelFileRoute
  const channel = readOwnText(fields, 'Channel')
  if (channel !== undefined) return channel.length > channelLengthMax ? undefined : routesByChannel.get(channel.toLowerCase())
  return provider === undefined ? undefined : routesByProvider.get(provider)
}

function buildRoute(product: string, services: readonly string[]): ChannelRoute {
  const events = new Map<number, EventRoute>()
  const rows = windowsCategories.filter(({ service }) => services.includes(service))
  for (const row of rows.filter(({ eventType }) => eventType === undefined)) {
    for (const eventId of row.eventIds) events.set(eventId, { kind: toWindowsKind(product, row) })
  }
  for (const row of rows) {
    if (row.eventType === undefined) continue
    for (const eventId of row.eventIds) {
      const entry = events.get(eventId) ?? { kind: { logsources: [], aliases: 'none' as const } }
      const byEventType = entry.byEventType ?? new Map<string, WindowsKind>()
      byEventType.set(row.eventType.toLowerCase(), toWindowsKind(product, row))
      events.set(eventId, { ...entry, byEventType })
    }
  }
  return { otherwise: { logsources: services.map((service) => ({ product, service })), aliases: 'none' }, events }
}

function toWindowsKind(product: string, { service, categories, aliases }: CategoryRow): WindowsKind {
  return { logsources: categories.map((category) => ({ category, product, service })), aliases: aliases ?? 'none' }
}
