import type { IncidentAlert } from '../src/incidents/incident-facts.ts'

type SlowAlert = IncidentAlert & { readonly opensIncident?: boolean }
type SlowTerms = { readonly alertsMax: number; readonly roomForNew: number; readonly windowMs: number }

/**
 * Groups one alert after the other by the default settings, and looks at every alert of every incident each time: the slow
 * reference of `planGrouping`. Own networks are those that begin with `10.`.
 */
export function groupSlowly(alerts: readonly SlowAlert[], { alertsMax, roomForNew, windowMs }: SlowTerms) {
  const incidents: SlowAlert[][] = []
  const refused: string[] = []
  for (const alert of alerts) {
    const names = listNames(alert)
    const isSevere = alert.level === 'high' || alert.level === 'critical'
    if (alert.opensIncident !== true && (!isSevere || names.length === 0)) continue
    const home = incidents.find((members) => members.length < alertsMax && names.some((name) => {
      const instants = members.filter((member) => listNames(member).includes(name)).map(({ createdAt }) => createdAt)
      const [first, last] = [Math.min(...instants), Math.max(...instants)]
      return instants.length > 0 && alert.createdAt >= first - windowMs && alert.createdAt <= last + windowMs
    }))
    if (home !== undefined) home.push(alert)
    else if (incidents.length < roomForNew) incidents.push([alert])
    else refused.push(alert.id)
  }
  return { incidents: incidents.map((members) => members.map(({ id }) => id)), refused }
}

function listNames({ event: { host, user }, sourceIp }: SlowAlert): string[] {
  return [
    ...[host].filter((host) => host !== '' && host !== 'localhost').map((host) => `host ${host.toLowerCase()}`),
    ...[user].filter((user) => user !== '' && user !== 'root').map((user) => `user ${user}`),
    ...[sourceIp].filter((ip) => ip !== '' && !ip.startsWith('10.')).map((ip) => `ip ${ip}`),
  ]
}
