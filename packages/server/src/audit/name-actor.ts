import type { Principal } from '@tripline/model/access/principal'
import type { Stores } from '@tripline/state/ports/state-store'

/** The name under which others see who did something: the email of a user, `apikey:<name>` of a key, else the id. */
export async function nameActor(
  { users, apiKeys }: Pick<Stores, 'users' | 'apiKeys'>, { tenant, actor }: Pick<Principal, 'tenant' | 'actor'>,
): Promise<string> {
  if (actor.type === 'user') return (await users.get(tenant, actor.id))?.email ?? actor.id
  if (actor.type !== 'api_key') return actor.id
  return `apikey:${(await apiKeys.get(tenant, actor.id))?.name ?? actor.id}`
}
