import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A vulnerability, by its id. */
type Vulnerability = { readonly severity: 'medium' | 'high' | 'critical'; readonly exploitCount: number }
/** A machine with what is open on it, by the days since it was first found. */
type Machine = {
  readonly id: string
  readonly hostname: string
  readonly riskScore: number
  readonly scannedAt: number
  readonly open: { readonly [vulnerability: string]: number }
}

/** What a scanner knows. */
export type Scanned = { readonly machines: readonly Machine[]; readonly vulnerabilities: { readonly [id: string]: Vulnerability } }

const dayMs = 86_400_000

/** Serves what a scanner knows as InsightVM does in the cloud, for the key `key`; returns the server and its address. */
export async function serveScanner(scanned: Scanned): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    const isAllowed = request.headers['x-api-key'] === 'key'
    const data = request.url?.startsWith('/vm/v4/integration/vulnerabilities') === true ? printVulnerabilities(scanned) : printMachines(scanned)
    request.resume()
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json', 'date': new Date().toUTCString() })
    response.end(JSON.stringify({ data, metadata: { number: 0, size: data.length, totalResources: data.length, cursor: null } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function printVulnerabilities({ vulnerabilities }: Scanned): readonly object[] {
  return Object.entries(vulnerabilities).map(([id, { severity, exploitCount }]) => {
    return { id, title: `Title of ${id}`, severity, cves: 'CVE-2026-1', cvss_v3_score: 7.5, exploits: Array.from({ length: exploitCount }, () => ({})) }
  })
}

function printMachines({ machines }: Scanned): readonly object[] {
  return machines.map(({ id, hostname, riskScore, scannedAt, open }) => {
    const print = ([vulnerability, days]: readonly [string, number]): object => ({
      vulnerability_id: vulnerability, first_found: new Date(Date.now() - days * dayMs).toISOString(), status: 'VULNERABLE_EXPL', port: 443,
      protocol: 'TCP', proof: '<p>version 1</p>', solution_summary: 'Update',
    })
    return {
      id, host_name: hostname, ip: `192.0.2.${id}`, mac: `00:1b:00:00:00:0${id}`, risk_score: riskScore, os_description: 'Debian 13', os_type: 'Server',
      last_scan_end: new Date(scannedAt).toISOString(), new: [], same: Object.entries(open).map(print), remediated: [],
    }
  })
}
