import { Link, Navigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { t } from '../../i18n/translate.ts'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import styles from './settings-page.module.css'

type SectionRow = {
  readonly needs: 'own_account' | 'administer_tenant' | 'edit_rules' | 'update_alerts' | 'read_webhooks' | 'read_requests' | 'read_audit'
  readonly Page: ComponentType
}

/** The sections in their order, each with the permission that it needs. */
const sections = {
  account: { needs: 'own_account', Page: lazyPart(async () => (await import('./account-section.tsx')).AccountSection) },
  general: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./general-section.tsx')).GeneralSection) },
  users: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./users-section.tsx')).UsersSection) },
  roles: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./roles-section.tsx')).RolesSection) },
  'sign-on': { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./sign-on-section.tsx')).SignOnSection) },
  provisioning: {
    needs: 'administer_tenant', Page: lazyPart(async () => (await import('./provisioning-section.tsx')).ProvisioningSection),
  },
  'api-keys': { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./keys-section.tsx')).KeysSection) },
  webhooks: { needs: 'read_webhooks', Page: lazyPart(async () => (await import('./webhooks-section.tsx')).WebhooksSection) },
  channels: { needs: 'read_webhooks', Page: lazyPart(async () => (await import('./channels-section.tsx')).ChannelsSection) },
  automation: {
    needs: 'update_alerts', Page: lazyPart(async () => (await import('./automation/automation-section.tsx')).AutomationSection),
  },
  'rule-pipelines': {
    needs: 'edit_rules',
    Page: lazyPart(async () => (await import('./rule-pipelines/rule-pipelines-section.tsx')).RulePipelinesSection),
  },
  grouping: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./grouping-section.tsx')).GroupingSection) },
  response: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./grouping-section.tsx')).ResponseSection) },
  branding: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./branding-section.tsx')).BrandingSection) },
  retention: { needs: 'administer_tenant', Page: lazyPart(async () => (await import('./retention-section.tsx')).RetentionSection) },
  identities: { needs: 'update_alerts', Page: lazyPart(async () => (await import('./data/identities-section.tsx')).IdentitiesSection) },
  indicators: { needs: 'update_alerts', Page: lazyPart(async () => (await import('./data/indicators-section.tsx')).IndicatorsSection) },
  subdomains: { needs: 'update_alerts', Page: lazyPart(async () => (await import('./data/subdomains-section.tsx')).SubdomainsSection) },
  requests: { needs: 'read_requests', Page: lazyPart(async () => (await import('./data/requests-section.tsx')).RequestsSection) },
  audit: { needs: 'read_audit', Page: lazyPart(async () => (await import('./audit/audit-section.tsx')).AuditSection) },
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
  const shown = useRef<HTMLElement>(null)
  // In a narrow window the sections are one line, of which a part is seen.
  useEffect(() => {
    shown.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [chosen, listed.length])
  const other = otherNames[id ?? '']
  if (other !== undefined) return <Navigate to={`/settings/${other}`} replace />
  return (
    <>
      <PageHead title={t('nav.settings')} documentTitle={chosen === undefined ? t('nav.settings') : t(`settings.${chosen}`)} />
      <div className={styles['page']}>
        <nav ref={shown} aria-label={t('settings.sections')} className={styles['sections']}>
          {listed.map((one) => (
            <Link key={one} to={`/settings/${one}`} className={styles['section']} aria-current={one === chosen ? 'page' : undefined}>
              {t(`settings.${one}`)}
            </Link>
          ))}
        </nav>
        <div className={styles['body']}>
          {chosen === undefined ? <StateMessage title={t('state.notFound')} /> : <SectionBody id={chosen} />}
        </div>
      </div>
    </>
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
