import { getFirstLabel, listIdentifiers } from '@tripline/model/assets/sighting'
import type { Identifier, Sighting } from '@tripline/model/assets/sighting'
import type { AssetIndex } from '@tripline/model/assets/resolve-sighting'
import type { Asset } from '@tripline/model/enrichment/asset'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import { splitIntoParts } from '../query/upsert.ts'
import { parseAssetRow } from '../rows/asset-row.ts'
import type { Tables } from '../rows/tables.ts'

/** The assets that some sightings may be of, in memory while these are merged one after another. */
export class LoadedAssets implements AssetIndex {
  readonly #assets = new Map<string, Asset>()
  readonly #idsByIdentifier = new Map<string, Set<string>>()
  readonly #idsByAddress = new Map<string, Set<string>>()
  readonly #strong = new Map<string, Identifier[]>()

  static async load(db: Kysely<Tables>, tenant: string, sightings: readonly Sighting[]): Promise<LoadedAssets> {
    const index = new LoadedAssets()
    const wanted = Map.groupBy(sightings.flatMap(listWanted), ({ kind }) => kind)
    const found: { readonly kind: Identifier['kind']; readonly value: string; readonly assetId: string }[] = []
    for (const [kind, identifiers] of wanted) {
      const values = [...new Set(identifiers.map(({ value }) => value))]
      for (const part of splitIntoParts(values, limits.enrichment.soughtAtOnceMax)) {
        const rows = db.selectFrom('assetIdentifiers').where('tenantId', '=', tenant).where('kind', '=', kind).where('value', 'in', part)
        // A first label may be that of thousands, and then it says nothing.
        found.push(...(kind === 'label'
          ? await rows.select(['kind', 'value', sql<string>`min(asset_id)`.as('assetId')]).groupBy(['kind', 'value'])
              .having(sql`count(*)`, '=', 1).execute()
          : await rows.select(['kind', 'value', 'assetId']).limit(limits.assets.candidatesMax).execute()))
      }
    }
    for (const { assetId, ...identifier } of found) index.#link(identifier, assetId)
    const ids = new Set(found.map(({ assetId }) => assetId))
    for (const id of await findByAddress(db, tenant, sightings)) ids.add(id)
    await index.#loadAssets(db, tenant, [...ids])
    return index
  }

  find({ kind, value }: Identifier): readonly Asset[] {
    return this.#list(this.#idsByIdentifier.get(`${kind} ${value}`))
  }

  findNameless(address: string): readonly Asset[] {
    return this.#list(this.#idsByAddress.get(address)).filter(({ hostname }) => hostname === '')
  }

  findHolder(address: string): Asset | undefined {
    return this.findHolders(address)[0]
  }

  /** The assets that hold an address, the one seen last first. */
  findHolders(address: string): readonly Asset[] {
    return this.#list(this.#idsByAddress.get(address)).toSorted((a, b) => (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0))
  }

  getScannerIds({ id }: Asset): readonly string[] {
    return (this.#strong.get(id) ?? []).filter(({ kind }) => kind === 'scanner').map(({ value }) => value)
  }

  get(id: string): Asset | undefined {
    return this.#assets.get(id)
  }

  /** Puts an asset as it is now; it keeps what it was found by. */
  put(asset: Asset, identifiers: readonly Identifier[]): void {
    for (const address of this.#assets.get(asset.id)?.ipAddresses ?? []) this.#idsByAddress.get(address)?.delete(asset.id)
    this.#assets.set(asset.id, asset)
    for (const identifier of listIdentifiers(asset, identifiers)) this.#link(identifier, asset.id)
    for (const address of asset.ipAddresses) add(this.#idsByAddress, address, asset.id)
    const strong = identifiers.filter(({ kind }) => kind === 'scanner' || kind === 'machine')
    if (strong.length > 0) this.#strong.set(asset.id, [...(this.#strong.get(asset.id) ?? []), ...strong])
  }

  /** Lets one asset take the place of another. */
  absorb(target: Asset, other: Asset): void {
    for (const ids of this.#idsByIdentifier.values()) if (ids.delete(other.id)) ids.add(target.id)
    for (const ids of this.#idsByAddress.values()) ids.delete(other.id)
    this.#assets.delete(other.id)
    this.put(target, this.#strong.get(other.id) ?? [])
  }

  #list(ids: ReadonlySet<string> = new Set()): readonly Asset[] {
    return [...ids].map((id) => this.#assets.get(id)).filter((asset) => asset !== undefined)
  }

  #link({ kind, value }: Identifier, assetId: string): void {
    add(this.#idsByIdentifier, `${kind} ${value}`, assetId)
  }

  async #loadAssets(db: Kysely<Tables>, tenant: string, ids: readonly string[]): Promise<void> {
    for (const part of splitIntoParts(ids, limits.enrichment.soughtAtOnceMax)) {
      const rows = await db.selectFrom('assets').selectAll().where('tenantId', '=', tenant).where('id', 'in', part).execute()
      const strong = await db.selectFrom('assetIdentifiers').select(['assetId', 'kind', 'value']).where('tenantId', '=', tenant)
        .where('assetId', 'in', part).where('kind', 'in', ['scanner', 'machine']).execute()
      const byAsset = Map.groupBy(strong, ({ assetId }) => assetId)
      for (const row of rows) this.put(parseAssetRow(row), byAsset.get(row.id) ?? [])
    }
  }
}

/** Everything by which a sighting may find its asset. */
function listWanted({ facts, identifiers }: Sighting): readonly Identifier[] {
  const { hostname = '' } = facts
  const label = getFirstLabel(hostname)
  const byLabel: Identifier[] = hostname === '' ? [] : [{ kind: label === hostname ? 'label' : 'name', value: label }]
  return [...listIdentifiers(facts, identifiers).filter(({ kind }) => kind !== 'label'), ...byLabel]
}

/** The assets that hold an address of a sighting, if that can matter: they have no name, the sighting has none, or takes it. */
async function findByAddress(db: Kysely<Tables>, tenant: string, sightings: readonly Sighting[]): Promise<readonly string[]> {
  const addresses = [...new Set(sightings.flatMap(({ facts }) => facts.ipAddresses ?? []))]
  const exclusive = new Set(sightings.filter(({ facts, takesAddresses }) => takesAddresses || (facts.hostname ?? '') === '')
    .flatMap(({ facts }) => facts.ipAddresses ?? []))
  const ids: string[] = []
  for (const part of splitIntoParts(addresses, limits.enrichment.soughtAtOnceMax)) {
    const holders = db.selectFrom('assetAddresses')
      .innerJoin('assets', (join) => join.onRef('assets.tenantId', '=', 'assetAddresses.tenantId').onRef('assets.id', '=', 'assetId'))
      .select(['assetId', 'address', 'hostname']).where('assetAddresses.tenantId', '=', tenant).where('address', 'in', part)
      .orderBy('lastSeenAt', 'desc').limit(limits.assets.candidatesMax)
    for (const { assetId, address, hostname } of await holders.execute()) {
      if (hostname === '' || exclusive.has(address)) ids.push(assetId)
    }
  }
  return ids
}

function add(sets: Map<string, Set<string>>, key: string, id: string): void {
  const ids = sets.get(key) ?? new Set()
  sets.set(key, ids.add(id))
}
