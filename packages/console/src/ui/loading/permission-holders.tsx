import type { PeopleBody } from '@tripline/contract/console/access/user'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { enTools } from '../../i18n/en/tools.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'

addTexts(enTools)

/** People who are named; the others are counted. */
const holdersShown = 5

/** Who has a permission: whom to ask. Nothing where that may not be read either, as by operators of the platform. */
export function PermissionHolders({ permission }: { readonly permission: string }): ReactNode {
  const [people, setPeople] = useState<PeopleBody['people']>()
  useEffect(() => {
    const leaving = new AbortController()
    const request = { query: { permission }, signal: leaving.signal }
    callApi<PeopleBody>('/v1/people', request).then((body) => setPeople(body.people), () => undefined)
    return () => leaving.abort()
  }, [permission])
  if (people === undefined) return null
  const names = people.slice(0, holdersShown).map(({ email }) => toVisibleText(email))
  const rest = people.length - names.length
  const shown = rest > 0 ? [...names, t('state.holders.more', { count: rest })] : names
  return ` ${shown.length === 0 ? t('state.holders.none') : t('state.holders', { people: shown.join(', ') })}`
}
