import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { isAllowed } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { SavedView } from '@tripline/model/saved-view'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, notFound, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import type { ViewChange } from '@tripline/state/ports/view-store'
import { limits } from '../../limits.ts'
import { recordAudit } from '../../audit/record-audit.ts'

/** What saved views need of the server. */
export type ViewDeps = {
  readonly state: StateStore
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

type NewView = Pick<SavedView, 'page' | 'name' | 'query' | 'isShared'>

/** Lists the caller's own views and those that are shared, of one page or of all. */
export async function listViews(
  { state }: ViewDeps, { tenant, actor }: Principal, page: string | undefined,
): Promise<readonly SavedView[]> {
  const views = await state.views.list(tenant, actor.id)
  return views.filter((view) => page === undefined || view.page === page)
}

/** @throws AppError NOT_FOUND, for a view of another user that is not shared as well. */
export function getView({ state }: ViewDeps, caller: Principal, id: string): Promise<SavedView> {
  return findVisible(state, caller, id)
}

/** @throws AppError FORBIDDEN to share without the permission, CONFLICT for too many views. */
export function createView(deps: ViewDeps, caller: Principal, view: NewView): Promise<SavedView> {
  const { tenant, actor } = caller
  const at = deps.clock.now()
  if (view.isShared) checkSharing(caller)
  return deps.state.transaction(async (stores) => {
    const known = await stores.views.list(tenant, actor.id)
    const { ownedMax, sharedMax } = limits.views
    checkCount(known.filter(({ ownerId }) => ownerId === actor.id).length, ownedMax, 'you have')
    if (view.isShared) checkCount(known.filter(({ isShared }) => isShared).length, sharedMax, 'the tenant shares')
    const id = createUuidV7(at, deps.randomBytes)
    const created: SavedView = { ...view, id, ownerId: actor.id, version: 1, createdAt: at, updatedAt: at }
    await stores.views.insert(tenant, created)
    const diff = { name: [null, view.name], page: [null, view.page], is_shared: [null, view.isShared] }
    await recordAudit(stores, caller, { at, action: 'view.create', target: { type: 'view', id }, diff })
    return created
  })
}

/**
 * Changes a view: its owner, and of a shared one an admin too. @throws AppError NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED,
 * CONFLICT for too many shared views.
 */
export function changeView(
  { state, clock }: ViewDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<ViewChange>,
): Promise<SavedView> {
  const { tenant } = caller
  const at = clock.now()
  return state.transaction(async (stores) => {
    const before = await findChangeable(stores, caller, id)
    checkVersion(before, versions, 'view')
    if (patch.isShared === true && !before.isShared) {
      checkSharing(caller)
      const shared = (await stores.views.list(tenant, caller.actor.id)).filter(({ isShared }) => isShared)
      checkCount(shared.length, limits.views.sharedMax, 'the tenant shares')
    }
    const changed = await stores.views.update(tenant, id, patch, { expectedVersion: before.version, at })
    const view = unwrapChange(changed, 'view')
    if (changed.outcome === 'changed') {
      const diff = diffViews(before, view)
      await recordAudit(stores, caller, { at, action: 'view.update', target: { type: 'view', id }, diff })
    }
    return view
  })
}

/** Removes a view: its owner, and of a shared one an admin too. @throws AppError NOT_FOUND, FORBIDDEN. */
export function removeView({ state, clock }: ViewDeps, caller: Principal, id: string): Promise<void> {
  const at = clock.now()
  return state.transaction(async (stores) => {
    const { name, page } = await findChangeable(stores, caller, id)
    await stores.views.remove(caller.tenant, id)
    const diff = { name: [name, null], page: [page, null] }
    await recordAudit(stores, caller, { at, action: 'view.delete', target: { type: 'view', id }, diff })
  })
}

async function findVisible({ views }: Pick<Stores, 'views'>, { tenant, actor }: Principal, id: string): Promise<SavedView> {
  const view = requireFound(await views.get(tenant, id), 'view')
  if (!view.isShared && view.ownerId !== actor.id) throw notFound('view')
  return view
}

async function findChangeable(stores: Pick<Stores, 'views'>, caller: Principal, id: string): Promise<SavedView> {
  const view = await findVisible(stores, caller, id)
  if (view.ownerId === caller.actor.id || isAllowed(caller.grants, 'administer_tenant')) return view
  throw new AppError('FORBIDDEN', 'the view belongs to another user; save a view of your own, or ask its owner or an admin')
}

function checkSharing({ grants }: Principal): void {
  if (isAllowed(grants, 'update_alerts')) return
  throw new AppError('FORBIDDEN', 'your roles do not allow sharing views; save it for yourself')
}

function checkCount(count: number, countMax: number, whose: string): void {
  if (count >= countMax) throw new AppError('CONFLICT', `${whose} ${countMax} views, which is the limit; delete one first`)
}

function diffViews(before: SavedView, after: SavedView): { readonly [name: string]: unknown } {
  const pairs = {
    name: [before.name, after.name], query: [before.query, after.query], is_shared: [before.isShared, after.isShared],
  }
  return Object.fromEntries(Object.entries(pairs).filter(([, [from, to]]) => from !== to))
}
