import type { Target } from './targets.ts'

/** Places that are kept. */
const keptMax = 5

let owner = ''
let kept: readonly Target[] = []

/** The places that a user chose last in this page, the newest first; another user or tenant begins with none. */
export function listRecent(user: string): readonly Target[] {
  return owner === user ? kept : []
}

/** Notes that a user chose a place. */
export function noteRecent(user: string, target: Target): void {
  const others = listRecent(user).filter(({ to, id }) => to !== target.to || id !== target.id)
  owner = user
  kept = [target, ...others].slice(0, keptMax)
}
