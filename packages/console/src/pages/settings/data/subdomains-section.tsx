import type { SubdomainBody } from '@tripline/contract/console/enrichment/subdomain'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Time } from '../parts.tsx'
import { RecordsSection } from './records-section.tsx'
import type { RecordKind } from './records-section.tsx'

/** The host names below the own domains that were seen in events or imported. */
export function SubdomainsSection(): ReactNode {
  const kind = useMemo<RecordKind<SubdomainBody>>(() => ({
    name: 'subdomains',
    heads: [t('settings.name'), t('data.domain'), t('data.address'), t('data.sources'), t('data.first'), t('data.seen')],
    nameOf: ({ name }) => name,
    example: 'name,ip',
    cells: ({ name, domain, ip, sources, first_seen: first, last_seen: last }) => [
      <code key="name">{toVisibleText(name)}</code>, toVisibleText(domain), toVisibleText(ip), sources.join(', '),
      <Time key="first" at={first} />, <Time key="last" at={last} />,
    ],
  }), [])
  return <RecordsSection kind={kind} />
}
