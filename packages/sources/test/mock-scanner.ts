import { parquetWriteBuffer } from 'hyparquet-writer'
import { setImmediate } from 'node:timers/promises'
import type { ScannerRequest } from '../src/scanner/scanner-client.ts'
import type { Random, ScannerWorld, WorldFinding } from './scanner-world.ts'

type Answer = { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly body: Uint8Array }

/** What goes wrong, as shares of the requests. */
export type MockFaults = {
  readonly rateLimited?: number
  readonly failing?: number
  readonly garbage?: number
  readonly broken?: number
  /** Answers that come later than those to requests behind them. */
  readonly slow?: number
  readonly unauthorized?: boolean
  /** Requests after which a cursor is good no more. */
  readonly cursorLife?: number
  readonly skewMs?: number
}

type MockOptions = {
  readonly world: ScannerWorld
  readonly random: Random
  readonly faults?: MockFaults
  /** Rows of a file of an export. */
  readonly fileRows?: number
}

/** Turns of the event loop after which a slow answer comes: others are asked for and answered meanwhile. */
const slowTurns = 20

type Export = { readonly id: string; readonly files: { readonly prefix: string; readonly bytes: Uint8Array }[][]; polls: number }

const json = (value: unknown, status = 200): Omit<Answer, 'headers'> => ({ status, body: Buffer.from(JSON.stringify(value)) })

/** A scanner in three dialects over a world, as far as their documentation tells; with faults. */
export class MockScanner {
  readonly #options: MockOptions
  readonly #cursors = new Map<string, { readonly offset: number; readonly since: number; uses: number }>()
  readonly #exports = new Map<string, Export>()
  /** An export of another client that runs at first. */
  foreignExportPolls = 0
  requestCount = 0
  /** Where the files of an export are. */
  fileOrigin = 'https://s3.example'
  readonly servedAssets = new Set<number>()
  readonly paths: string[] = []

  constructor(options: MockOptions) {
    this.#options = options
  }

  readonly request = async (request: ScannerRequest): Promise<Answer> => {
    this.requestCount++
    const url = new URL(request.url)
    this.paths.push(`${request.method} ${url.pathname}`)
    const { world, faults = {} } = this.#options
    const date = { date: new Date(world.nowMs + (faults.skewMs ?? 0)).toUTCString() }
    if (this.#isDue(faults.slow)) for (let turn = 0; turn < slowTurns; turn++) await setImmediate()
    const fault = this.#fail()
    if (fault === 'broken') throw new Error('socket hang up')
    if (fault !== undefined) return { ...fault, headers: { ...date, ...fault.headers } }
    return { ...this.#answer(request, url), headers: date }
  }

  #isDue(share = 0): boolean {
    return share > 0 && this.#options.random() < share
  }

  #fail(): Answer | 'broken' | undefined {
    const { faults = {} } = this.#options
    if (faults.unauthorized === true) return { ...json({ message: 'unauthorized' }, 401), headers: {} }
    if (this.#isDue(faults.broken)) return 'broken'
    if (this.#isDue(faults.rateLimited)) return { ...json({ message: 'slow down' }, 429), headers: { 'retry-after': '7' } }
    if (this.#isDue(faults.failing)) return { ...json({ message: 'oops' }, 500), headers: {} }
    if (this.#isDue(faults.garbage)) return { status: 200, body: Buffer.from('<html>{"half":'), headers: {} }
    return undefined
  }

  #answer({ headers, body = '', method }: ScannerRequest, url: URL): Omit<Answer, 'headers'> {
    if (url.pathname.startsWith('/files/')) return this.#download(url.pathname)
    const isConsole = url.pathname.startsWith('/api/3/')
    if (isConsole ? headers['authorization'] !== `Basic ${Buffer.from('user:secret').toString('base64')}` : headers['x-api-key'] !== 'key') {
      return json({ message: 'unauthorized' }, 401)
    }
    const parsed: unknown = body === '' ? {} : JSON.parse(body)
    if (isConsole) return this.#answerConsole(method, url, parsed)
    if (url.pathname === '/export/graphql') return this.#answerExport(JSON.stringify(parsed))
    return this.#answerCloud(url, JSON.stringify(parsed))
  }

  #answerConsole(method: string, url: URL, body: unknown): Omit<Answer, 'headers'> {
    const { world } = this.#options
    const path = url.pathname.slice('/api/3'.length)
    const since = method === 'POST' ? Date.parse(/\d{4}-\d\d-\d\d/.exec(JSON.stringify(body))?.[0] ?? '') : 0
    if (path === '/assets' || path === '/assets/search') {
      const found = world.assets.filter(({ scannedAt }) => scannedAt >= since)
      return json(this.#page(url, found, (asset) => {
        this.servedAssets.add(asset.id)
        const { id, hostname, ip, mac, riskScore, scannedAt, open } = asset
        return {
          id, ip, hostName: hostname, mac: mac.toUpperCase(), os: 'Debian Linux 13', osFingerprint: { family: 'Linux', type: 'Server' }, riskScore,
          history: [{ type: 'SCAN', date: new Date(scannedAt).toISOString() }], vulnerabilities: { total: open.size },
        }
      }))
    }
    const finding = /^\/assets\/(\d+)\/vulnerabilities$/.exec(path)
    if (finding !== null) {
      const open = [...world.assets[Number(finding[1]) - 1]!.open.values()]
      return json(this.#page(url, open, ({ id, firstFoundAt, port }) => ({
        id, since: new Date(firstFoundAt).toISOString(), status: 'vulnerable',
        results: [{ port, protocol: 'TCP', proof: '<p><b>Running</b> version &lt; 2</p>' }],
      })))
    }
    const definition = world.vulnerabilities.get(path.replace('/vulnerabilities/', ''))
    if (definition !== undefined) {
      const { id, severity, exploitCount } = definition
      return json({ id, title: `Title of ${id}`, severity, severityScore: 5, cves: ['CVE-2026-1'], exploits: exploitCount, cvss: { v3: { score: 7.5 } } })
    }
    if (path === '/scans') {
      const at = new Date(world.nowMs - 1_000).toISOString()
      return json(this.#page(url, [1], (id) => ({ id, scanName: 'Weekly', status: 'finished', startTime: at, endTime: at, assets: world.assets.length })))
    }
    return json({ message: 'not found' }, 404)
  }

  #page<Entry>(url: URL, entries: readonly Entry[], print: (entry: Entry) => object): object {
    const [number, size] = ['page', 'size'].map((name) => Number(url.searchParams.get(name)))
    if (size! > 500) throw new Error('a page has 500 entries at most')
    const resources = entries.slice(number! * size!, (number! + 1) * size!).map(print)
    return { resources, page: { number, size, totalPages: Math.ceil(entries.length / size!), totalResources: entries.length } }
  }

  #answerCloud(url: URL, body: string): Omit<Answer, 'headers'> {
    const { world, faults = {} } = this.#options
    if (url.pathname === '/vm/v4/integration/vulnerabilities') {
      const ids = [...body.matchAll(/'([^']+)'/g)].map(([, id]) => id!)
      const data = ids.flatMap((id) => {
        const known = world.vulnerabilities.get(id)
        if (known === undefined) return []
        const severity = { Moderate: 'medium', Severe: 'high', Critical: 'critical' }[known.severity]
        return [{ id, title: `Title of ${id}`, severity, cves: 'CVE-2026-1,CVE-2026-2', cvss_v3_score: 7.5, exploits: Array.from({ length: known.exploitCount }, () => ({})) }]
      })
      return json({ data, metadata: { cursor: null } })
    }
    const named = url.searchParams.get('cursor')
    const place = named === null ? undefined : this.#cursors.get(named)
    if (named !== null && (place === undefined || place.uses++ >= (faults.cursorLife ?? Infinity))) return json({ message: 'cursor expired' }, 400)
    const since = place?.since ?? (Date.parse(/last_scan_end > ([^"]+)/.exec(body)?.[1] ?? '') || 0)
    const found = world.assets.filter(({ scannedAt }) => scannedAt > since)
    const offset = place?.offset ?? 0
    const size = Number(url.searchParams.get('size'))
    const cursor = offset + size < found.length ? `c-${since}-${offset + size}` : null
    if (cursor !== null && !this.#cursors.has(cursor)) this.#cursors.set(cursor, { offset: offset + size, since, uses: 0 })
    const data = found.slice(offset, offset + size).map((asset) => {
      this.servedAssets.add(asset.id)
      const { id, hostname, ip, mac, riskScore, scannedAt, open, remediated } = asset
      const print = ({ id, firstFoundAt, port }: WorldFinding): object => ({
        vulnerability_id: id, first_found: new Date(firstFoundAt).toISOString(), status: 'VULNERABLE_EXPL', port, protocol: 'TCP', proof: '<p>x</p>',
        solution_summary: '<a href="javascript:x">Update</a>',
      })
      return {
        id: `${id}`, host_name: hostname, ip, mac, risk_score: riskScore, os_description: 'Debian 13', os_type: 'Server', last_scan_end: new Date(scannedAt).toISOString(),
        new: [...open.values()].slice(0, 1).map(print), same: [...open.values()].slice(1).map(print), remediated: [...remediated.values()].map(print),
      }
    })
    return json({ data, metadata: { number: 0, size, totalResources: found.length, cursor } })
  }

  #answerExport(body: string): Omit<Answer, 'headers'> {
    const { world } = this.#options
    if (this.foreignExportPolls > 0 && body.includes('mutation')) {
      this.foreignExportPolls--
      return json({ errors: [{ message: 'An export is already in progress: ZXhwb3J0LTE=' }] })
    }
    if (body.includes('mutation')) {
      const id = `export-${this.#exports.size + 1}`
      const [from = 0, to = 0] = [...body.matchAll(/Date: \\"(\d{4}-\d\d-\d\d)/g)].map(([, day]) => Date.parse(day!))
      if (to - from > 31 * 86_400_000) throw new Error('31 days are the most')
      this.#exports.set(id, { id, polls: 0, files: body.includes('Remediation') ? [this.#writeRemediations(from, to + 86_400_000)] : this.#writeInventory() })
      const name = body.includes('Remediation') ? 'createVulnerabilityRemediationExport' : 'createVulnerabilityExport'
      return json({ data: { [name]: { id } } })
    }
    const known = this.#exports.get(/export-\d+/.exec(body)?.[0] ?? '')
    if (known === undefined) return json({ errors: [{ message: 'not found' }], data: { export: null } })
    const isDone = known.polls++ > 0
    const result = ['asset', 'asset_vulnerability'].map((prefix, index) => ({
      prefix: known.files.length === 1 ? 'vulnerability_remediation' : prefix,
      urls: (known.files[index] ?? []).map((_, n) => `${this.fileOrigin}/files/${known.id}/${index}/${n}.parquet?signature=1`),
    }))
    return json({ data: { export: { id: known.id, status: isDone ? 'COMPLETE' : 'PROCESSING', timestamp: new Date(world.nowMs).toISOString(), result: isDone ? result : null } } })
  }

  #download(path: string): Omit<Answer, 'headers'> {
    const [, , id = '', index, file = ''] = path.split('/')
    const bytes = this.#exports.get(id)?.files[Number(index)]?.[Number.parseInt(file)]?.bytes
    return bytes === undefined ? json({ message: 'gone' }, 404) : { status: 200, body: bytes }
  }

  #writeInventory(): Export['files'] {
    const { world } = this.#options
    const findings = world.assets.flatMap((asset) => [...asset.open.values()].map((finding) => ({ asset, finding })))
    const assets = this.#split(world.assets).map((part) => ({
      prefix: 'asset',
      bytes: writeParquet({
        assetId: part.map(({ id }) => `${id}`), hostName: part.map(({ hostname }) => hostname), ip: part.map(({ ip }) => ip), mac: part.map(({ mac }) => mac),
        osFamily: part.map(() => 'Linux'), riskScore: part.map(({ riskScore }) => riskScore + 0.25),
      }),
    }))
    return [assets, this.#writeFindings(findings)]
  }

  #writeRemediations(from: number, to: number): Export['files'][number] {
    return this.#writeFindings(this.#options.world.assets.flatMap((asset) => {
      return [...asset.remediated.values()].filter(({ at }) => at >= from && at < to).map((finding) => ({ asset, finding }))
    }))
  }

  #writeFindings(found: readonly { readonly asset: ScannerWorld['assets'][number]; readonly finding: WorldFinding }[]): Export['files'][number] {
    const { vulnerabilities } = this.#options.world
    return this.#split(found).map((part) => ({
      prefix: 'asset_vulnerability',
      bytes: writeParquet({
        assetId: part.map(({ asset }) => `${asset.id}`), hostName: part.map(({ asset }) => asset.hostname), vulnId: part.map(({ finding }) => finding.id),
        title: part.map(({ finding }) => `Title of ${finding.id}`), severity: part.map(({ finding }) => vulnerabilities.get(finding.id)!.severity),
        hasExploits: part.map(({ finding }) => vulnerabilities.get(finding.id)!.exploitCount > 0), port: part.map(({ finding }) => finding.port),
        protocol: part.map(() => 'TCP'), firstFoundTimestamp: part.map(({ finding }) => new Date(finding.firstFoundAt)),
      }),
    }))
  }

  #split<Entry>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
    const { fileRows = 2_000 } = this.#options
    return Array.from({ length: Math.ceil(entries.length / fileRows) }, (_, index) => entries.slice(index * fileRows, (index + 1) * fileRows))
  }
}

function writeParquet(columns: { readonly [name: string]: readonly (string | number | boolean | Date)[] }): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData: Object.entries(columns).map(([name, data]) => ({ name, data: [...data] })) }))
}
