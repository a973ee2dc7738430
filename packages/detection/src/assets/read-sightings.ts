import { normalizeAddress } from '@tripline/common/address'
import { normalizeHostName } from '@tripline/common/domain-name'
import { getPath } from '@tripline/common/get-path'
import { findObservable } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { exposureProduct } from '@tripline/model/assets/exposure-event'
import { isMachineAddress } from '@tripline/model/assets/sighting'
import type { SightingSource } from '@tripline/model/assets/sighting'
import { normalizeMacAddress } from '@tripline/model/enrichment/asset'

/** What an event tells of a machine. */
export type MachineFacts = {
  readonly source: SightingSource
  readonly hostname: string
  readonly ipAddresses: readonly string[]
  readonly macAddresses: readonly string[]
  /** Whether the machine sent the event itself. */
  readonly isSender: boolean
  /** The user who logged on there; empty for none. */
  readonly user: string
}

const addressFields = ['host.ip', 'host_ip', 'device_ip', 'device.ip']
const macFields = ['host.mac', 'host_mac', 'device_mac', 'device.mac']
const messageFields = ['message', 'msg', 'MESSAGE', 'event.original']

/** Fields in which DHCP servers state leases: Windows, Zeek, ECS, Suricata and Infoblox as their exporters name them. */
const leaseFields = {
  address: ['assigned_addr', 'IP Address', 'IPAddress', 'client.ip', 'dhcp.assigned_ip', 'lease_ip', 'requested_addr'],
  mac: ['mac', 'MAC Address', 'MACAddress', 'client.mac', 'dhcp.client_mac', 'lease_mac'],
  name: ['host_name', 'client_fqdn', 'Host Name', 'HostName', 'client.domain', 'dhcp.hostname', 'lease_hostname'],
}

/** `DHCPACK on 10.0.0.5 to 00:1b:44:11:3a:b7 (laptop-7) via eth0`, as ISC dhcpd and Kea's logs write it. */
const leaseOfDhcpd = /\bDHCPACK on ([\da-f.:]{3,45}) to ((?:[\da-f]{2}:){5}[\da-f]{2})(?: \(([^)\s]{1,253})\))?/i
/** `DHCPACK(eth0) 10.0.0.5 00:1b:44:11:3a:b7 laptop-7`, as dnsmasq writes it. */
const leaseOfDnsmasq = /\bDHCPACK\(\S{1,32}\) ([\da-f.:]{3,45}) ((?:[\da-f]{2}:){5}[\da-f]{2})(?: (\S{1,253}))?/i

/** Reads every machine that an event tells of: its own, one that got an address, one from which a user logged on. */
export function readSightings(event: NormalizedEvent): readonly MachineFacts[] {
  const { fields, logsources } = event
  // What a scanner or the server itself tells of a machine is no log of it.
  const isReported = logsources.some(({ product }) => product === exposureProduct || product === 'vulnerability_scanner')
  const host = findObservable(event, 'host')
  const hostname = readName(host)
  const hostAddress = normalizeAddress(host)
  const own = [hostAddress ?? '', ...readTexts(fields, addressFields)].map(readAddress).filter(isPresent)
  const logon = isLogon(fields)
  const sender: MachineFacts = {
    source: 'events', hostname, ipAddresses: [...new Set(own)].slice(0, 16), isSender: !isReported,
    macAddresses: readTexts(fields, macFields).map(readMac).filter(isPresent).slice(0, 8), user: logon ? findObservable(event, 'user') : '',
  }
  return [sender, ...readLease(fields), ...(logon ? readRemote(fields, hostname) : [])].filter((facts) => {
    return facts.hostname !== '' || facts.ipAddresses.length > 0 || facts.macAddresses.length > 0
  })
}

/** A lease of an address that a DHCP server confirms. */
function readLease(fields: NormalizedEvent['fields']): readonly MachineFacts[] {
  const [text = ''] = readTexts(fields, messageFields)
  const found = text.includes('DHCPACK') ? leaseOfDhcpd.exec(text.slice(0, 1_024)) ?? leaseOfDnsmasq.exec(text.slice(0, 1_024)) : null
  const isLease = found !== null || isLeaseRecord(fields)
  if (!isLease) return []
  const [, address, mac, name] = found ?? [
    '', readTexts(fields, leaseFields.address)[0], readTexts(fields, leaseFields.mac)[0], readTexts(fields, leaseFields.name)[0],
  ]
  const ipAddresses = [readAddress(address ?? '')].filter(isPresent)
  const macAddresses = [readMac(mac ?? '')].filter(isPresent)
  const hostname = readName(name ?? '')
  if (ipAddresses.length === 0 || (macAddresses.length === 0 && hostname === '')) return []
  return [{ source: 'dhcp', hostname, ipAddresses, macAddresses, isSender: false, user: '' }]
}

/** Zeek's dhcp.log, or a row 10 or 11 (assigned, renewed) of the log of a Windows DHCP server. */
function isLeaseRecord(fields: NormalizedEvent['fields']): boolean {
  if (readTexts(fields, ['assigned_addr', 'dhcp.assigned_ip', 'lease_ip']).length > 0) return true
  const [id = ''] = readTexts(fields, ['ID', 'EventID', 'event.code'])
  return (id === '10' || id === '11') && readTexts(fields, ['MAC Address', 'MACAddress']).length > 0
}

/** The machine from which a user logged on over the network, as Windows names it beside its address. */
function readRemote(fields: NormalizedEvent['fields'], target: string): readonly MachineFacts[] {
  const hostname = readName(readTexts(fields, ['WorkstationName', 'winlog.event_data.WorkstationName'])[0] ?? '')
  const address = readAddress(readTexts(fields, ['IpAddress', 'winlog.event_data.IpAddress'])[0] ?? '')
  if (hostname === '' || address === undefined || hostname === target || hostname === target.split('.')[0]) return []
  return [{ source: 'events', hostname, ipAddresses: [address], macAddresses: [], isSender: false, user: '' }]
}

function isLogon(fields: NormalizedEvent['fields']): boolean {
  const [code = ''] = readTexts(fields, ['EventID', 'event.code', 'winlog.event_id', 'event_id'])
  if (code === '4624') return true
  const [category = ''] = readTexts(fields, ['event.category'])
  if (category === 'authentication') return readTexts(fields, ['event.outcome'])[0] === 'success'
  const [text = ''] = readTexts(fields, messageFields)
  return /^Accepted (?:password|publickey|keyboard-interactive)\b/.test(text)
}

/** The texts and numbers of fields, lists by their entries. */
function readTexts(fields: NormalizedEvent['fields'], names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = getPath(fields, name)
    return (Array.isArray(value) ? value.slice(0, 16) : [value])
      .map((entry: unknown) => (typeof entry === 'number' ? `${entry}` : entry))
      .filter((entry) => typeof entry === 'string' && entry !== '' && entry !== '-' && entry.length <= 65_536) as string[]
  })
}

/** Names that say nothing of a machine. */
const emptyNames = new Set(['localhost', 'localhost.localdomain', 'unknown', 'none', 'null', 'n_a'])

function readName(text: string): string {
  const name = normalizeHostName(text.replace(/^\\\\/, '').trim()) ?? ''
  return emptyNames.has(name) ? '' : name
}

function readAddress(text: string): string | undefined {
  const address = normalizeAddress(text.trim())
  return address !== undefined && isMachineAddress(address) ? address : undefined
}

function readMac(text: string): string | undefined {
  return normalizeMacAddress(text.trim())
}

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined
}
