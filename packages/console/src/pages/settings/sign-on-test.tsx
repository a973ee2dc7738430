import { Link } from '@tanstack/react-router'
import type { SignOnBody } from '@tripline/contract/console/access/sign-on'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import styles from './forms.module.css'
import { Section, Time } from './parts.tsx'
import { startTestLogin } from './sign-on-queries.ts'

type TestResult = NonNullable<SignOnBody['last_test']>

/** A login that changes nothing, with the stored settings: which claims come, and which role they give. */
export function SignOnTest({ signOn }: { readonly signOn: SignOnBody }): ReactNode {
  const { problem, isBusy, run } = useTask()
  const { protocol, issuer, client_id: client, has_client_secret: hasSecret, login_url: loginUrl, certificates, redirect_uri: uri } = signOn
  const hasProvider = protocol === 'saml' ? loginUrl !== '' && certificates.length > 0 : client !== '' && hasSecret
  const isReady = issuer !== '' && hasProvider && uri !== null
  return (
    <Section title={t('settings.sso.test')} hint={t('settings.sso.testHint')}>
      {signOn.last_test === null ? <p className={styles['note']}>{t('settings.sso.untested')}</p> : <Result test={signOn.last_test} />}
      <Refusal text={problem} />
      <div className={styles['row']}>
        <Button blocked={isReady ? undefined : t('settings.needs.provider')} isBusy={isBusy} onClick={() => void run(startTestLogin)}>
          {t('settings.sso.try')}
        </Button>
        <Link to="/settings/roles">{t('settings.sso.toRoles')}</Link>
      </div>
    </Section>
  )
}

function Result({ test: { at, succeeded, problem, email, name, roles, claims } }: { readonly test: TestResult }): ReactNode {
  const who = [name, email].filter((text) => text !== null).map((text) => toVisibleText(text)).join(', ')
  return (
    <>
      <div className={styles['row']} role="status">
        <Pill tone={succeeded ? 'ok' : 'bad'}>{t(succeeded ? 'settings.sso.succeeded' : 'settings.sso.failed')}</Pill>
        <Time at={at} />
        {who !== '' && <span>{who}</span>}
        {roles.length > 0 && <span>{roles.map((role) => t(`settings.role.${role}`)).join(', ')}</span>}
      </div>
      <Refusal text={problem ?? undefined} />
      {Object.keys(claims).length > 0 && (
        <div className={styles['group']}>
          <span className={styles['label']}>{t('settings.sso.claims')}</span>
          <pre className={styles['claims']} tabIndex={0} aria-label={t('settings.sso.claims')}>
            {toVisibleText(JSON.stringify(claims, undefined, 2))}
          </pre>
        </div>
      )}
    </>
  )
}
