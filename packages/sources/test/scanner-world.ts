/** Random numbers from a seed, from 0 to below 1. */
export type Random = () => number

/** A generator by Tommy Ettinger's mulberry32: 32 bits of state, the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type WorldFinding = { readonly id: string; readonly firstFoundAt: number; readonly port: number }
type WorldAsset = {
  readonly id: number
  readonly hostname: string
  readonly ip: string
  readonly mac: string
  riskScore: number
  scannedAt: number
  readonly open: Map<string, WorldFinding>
  /** What the last change remediated. */
  readonly remediated: Map<string, WorldFinding & { readonly at: number }>
}
type WorldVulnerability = { readonly id: string; readonly severity: 'Moderate' | 'Severe' | 'Critical'; exploitCount: number }

const dayMs = 86_400_000

/** Machines with vulnerabilities, as a scanner would find them; what is true of them is what a run must tell. */
export class ScannerWorld {
  readonly assets: WorldAsset[] = []
  readonly vulnerabilities = new Map<string, WorldVulnerability>()
  readonly #random: Random
  nowMs: number

  constructor({ assetCount, random, nowMs }: { readonly assetCount: number; readonly random: Random; readonly nowMs: number }) {
    this.#random = random
    this.nowMs = nowMs
    for (let i = 0; i < Math.max(20, assetCount / 20); i++) {
      const severity = (['Moderate', 'Severe', 'Critical'] as const)[Math.floor(random() * 3)]!
      this.vulnerabilities.set(`vuln-${i}`, { id: `vuln-${i}`, severity, exploitCount: random() < 0.1 ? 2 : 0 })
    }
    for (let i = 0; i < assetCount; i++) {
      const asset: WorldAsset = {
        id: i + 1, hostname: `host-${i + 1}.corp.example`, ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
        mac: `00:1b:${[24, 16, 8, 0].map((shift) => ((i >>> shift) & 255).toString(16).padStart(2, '0')).join(':')}`,
        riskScore: Math.floor(random() * 20_000), scannedAt: nowMs - Math.floor(random() * 5 * dayMs), open: new Map(), remediated: new Map(),
      }
      for (let n = Math.floor(random() * 6); n > 0; n--) this.#find(asset, asset.scannedAt - dayMs)
      this.assets.push(asset)
    }
  }

  #find(asset: WorldAsset, at: number): void {
    const id = `vuln-${Math.floor(this.#random() * this.vulnerabilities.size)}`
    if (!asset.open.has(id)) asset.open.set(id, { id, firstFoundAt: at, port: this.#random() < 0.5 ? 443 : 0 })
  }

  /** A day passes: some machines are scanned again, with findings gone and new, and some vulnerabilities get an exploit. */
  passDay(): { readonly scanned: readonly number[]; readonly exploited: readonly string[] } {
    this.nowMs += dayMs
    const scanned = this.assets.filter(() => this.#random() < 0.03)
    for (const asset of scanned) {
      asset.scannedAt = this.nowMs - 3_600_000
      asset.riskScore = Math.floor(this.#random() * 20_000)
      asset.remediated.clear()
      for (const finding of asset.open.values()) {
        if (this.#random() < 0.5) continue
        asset.open.delete(finding.id)
        asset.remediated.set(finding.id, { ...finding, at: asset.scannedAt })
      }
      this.#find(asset, asset.scannedAt)
      for (const id of asset.open.keys()) asset.remediated.delete(id)
    }
    // Those of machines, because a scanner is asked about what it found.
    const found = new Set(this.assets.flatMap(({ open }) => [...open.keys()]))
    const exploited = [...this.vulnerabilities.values()].filter(({ id, exploitCount }) => exploitCount === 0 && found.has(id) && this.#random() < 0.05)
    for (const vulnerability of exploited) vulnerability.exploitCount = 1
    return { scanned: scanned.map(({ id }) => id), exploited: exploited.map(({ id }) => id) }
  }

  /** What is true: by asset its name, score and open findings. */
  describe(): ReadonlyMap<string, string> {
    return new Map(this.assets.map(({ id, hostname, riskScore, open }) => [`${id}`, JSON.stringify([hostname, riskScore, [...open.keys()].sort()])]))
  }
}
