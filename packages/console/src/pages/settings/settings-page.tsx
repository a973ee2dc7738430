import { Link, Navigate, useParams } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { t } from '../../i18n/translate.ts'
import { ChevronDown } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import styles from './settings-page.module.css'

/** What the sections are about, in their order. */
const groups = ['personal', 'organization', 'access', 'response', 'detection', 'records'] as const

type SectionRow = {
  readonly group: (typeof groups)[number]
  readonly needs: 'own_account' | 'administer_tenant' | 'edit_rules' | 'update_alerts' | 'read_webhooks' | 'read_requests' | 'read_audit'
  readonly Page: ComponentType
}

/** The sections in their order within their group, each with the permission that it needs. */
const sections = {
  account: { group: 'personal', needs: 'own_account', Page: lazyPart(async () => (await import('./account-section.tsx')).AccountSection) },
  general: {
    group: 'organization', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./general-section.tsx')).GeneralSection),
  },
  branding: {
    group: 'organization', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./branding-section.tsx')).BrandingSection),
  },
  users: { group: 'access', needs: 'administer_tenant', Page: lazyPart(async () => (await import('./users-section.tsx')).UsersSection) },
  roles: { group: 'access', needs: 'administer_tenant', Page: lazyPart(async () => (await import('./roles-section.tsx')).RolesSection) },
  'sign-on': {
    group: 'access', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./sign-on-section.tsx')).SignOnSection),
  },
  provisioning: {
    group: 'access', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./provisioning-section.tsx')).ProvisioningSection),
  },
  'api-keys': { group: 'access', needs: 'administer_tenant', Page: lazyPart(async () => (await import('./keys-section.tsx')).KeysSection) },
  grouping: {
    group: 'response', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./grouping-section.tsx')).GroupingSection),
  },
  response: {
    group: 'response', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./grouping-section.tsx')).ResponseSection),
  },
  automation: {
    group: 'response', needs: 'update_alerts',
    Page: lazyPart(async () => (await import('./automation/automation-section.tsx')).AutomationSection),
  },
  channels: {
    group: 'response', needs: 'read_webhooks',
    Page: lazyPart(async () => (await import('./channels-section.tsx')).ChannelsSection),
  },
  webhooks: {
    group: 'response', needs: 'read_webhooks',
    Page: lazyPart(async () => (await import('./webhooks-section.tsx')).WebhooksSection),
  },
  'rule-pipelines': {
    group: 'detection', needs: 'edit_rules',
    Page: lazyPart(async () => (await import('./rule-pipelines/rule-pipelines-section.tsx')).RulePipelinesSection),
  },
  identities: {
    group: 'detection', needs: 'update_alerts',
    Page: lazyPart(async () => (await import('./data/identities-section.tsx')).IdentitiesSection),
  },
  indicators: {
    group: 'detection', needs: 'update_alerts',
    Page: lazyPart(async () => (await import('./data/indicators-section.tsx')).IndicatorsSection),
  },
  subdomains: {
    group: 'detection', needs: 'update_alerts',
    Page: lazyPart(async () => (await import('./data/subdomains-section.tsx')).SubdomainsSection),
  },
  retention: {
    group: 'records', needs: 'administer_tenant',
    Page: lazyPart(async () => (await import('./retention-section.tsx')).RetentionSection),
  },
  requests: {
    group: 'records', needs: 'read_requests',
    Page: lazyPart(async () => (await import('./data/requests-section.tsx')).RequestsSection),
  },
  audit: { group: 'records', needs: 'read_audit', Page: lazyPart(async () => (await import('./audit/audit-section.tsx')).AuditSection) },
} as const satisfies { readonly [id: string]: SectionRow }
type SectionId = keyof typeof sections

/** Addresses of sections by other words of the same. */
const otherNames: { readonly [id: string]: SectionId } = { sso: 'sign-on' }

const sectionIds = Object.keys(sections) as readonly SectionId[]

/** The settings of the tenant and of the own account: sections beside each other, of which a role sees those that it may change. */
export function SettingsPage(): ReactNode {
  const { id } = useParams({ strict: false })
  const chosen = id === undefined ? 'account' : sectionIds.find((one) => one === id)
  const allowed = useAllowed()
  const listed = sectionIds.filter((one) => allowed[sections[one].needs])
  const other = otherNames[id ?? '']
  if (other !== undefined) return <Navigate to={`/settings/${other}`} replace />
  return (
    <>
      <PageHead title={t('nav.settings')} documentTitle={chosen === undefined ? t('nav.settings') : t(`settings.${chosen}`)} />
      <div className={styles['page']}>
        <Sections chosen={chosen} listed={listed} />
        <div className={styles['body']}>
          {chosen === undefined ? <StateMessage title={t('state.notFound')} /> : <SectionBody id={chosen} />}
        </div>
      </div>
    </>
  )
}

/** The sections by group. In a narrow window they are folded under the name of the one that is open. */
function Sections({ chosen, listed }: { readonly chosen: SectionId | undefined; readonly listed: readonly SectionId[] }): ReactNode {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const fold = useRef<HTMLButtonElement>(null)
  const id = useId()
  const follow = (): void => {
    // The link that was chosen is hidden with the others.
    if (isUnfolded) fold.current?.focus()
    setIsUnfolded(false)
  }
  return (
    <nav aria-label={t('settings.sections')} className={styles['sections']}>
      <button
        ref={fold}
        type="button"
        className={styles['fold']}
        aria-expanded={isUnfolded}
        aria-controls={id}
        onClick={() => setIsUnfolded(!isUnfolded)}
      >
        {chosen === undefined ? t('settings.sections') : t('settings.section', { section: t(`settings.${chosen}`) })}
        <ChevronDown size={14} aria-hidden />
      </button>
      <div id={id} className={styles['groups']} data-unfolded={isUnfolded || undefined}>
        {groups.map((group) => {
          const ids = listed.filter((one) => sections[one].group === group)
          return ids.length > 0 && (
            <div key={group}>
              <h2 id={`${id}-${group}`} className={styles['group']}>{t(`settings.group.${group}`)}</h2>
              <ul aria-labelledby={`${id}-${group}`}>
                {ids.map((one) => (
                  <li key={one}>
                    <Link
                      to={`/settings/${one}`}
                      className={styles['section']}
                      aria-current={one === chosen ? 'page' : undefined}
                      onClick={follow}
                    >
                      {t(`settings.${one}`)}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </div>
    </nav>
  )
}

function SectionBody({ id }: { readonly id: SectionId }): ReactNode {
  const { Page } = sections[id]
  return <Page key={id} />
}

function useAllowed(): { readonly [permission in SectionRow['needs']]: boolean } {
  return {
    own_account: true,
    administer_tenant: useMay('administer_tenant'),
    edit_rules: useMay('edit_rules'),
    update_alerts: useMay('update_alerts'),
    read_webhooks: useMay('read_webhooks'),
    read_requests: useMay('read_requests'),
    read_audit: useMay('read_audit'),
  }
}
