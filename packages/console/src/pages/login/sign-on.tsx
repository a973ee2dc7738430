import type { SignOnOfferBody } from '@tripline/contract/console/access/sign-on'
import { useEffect, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { leaveForProvider, readSignOnOffer } from '../../api/sign-on.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './sign-on.module.css'

const problems = [
  'not_available', 'not_started', 'expired', 'cancelled', 'provider_refused', 'provider_unreachable', 'provider_unusable', 'untrusted',
  'no_role', 'user_disabled', 'users_full', 'limited',
] as const

/**
 * The way to the organization's own identity provider, where the server offers it; the organization is asked for unless it is known.
 * It is known where the login stands over a page, which stays.
 */
export function SignOn({ tenant }: { readonly tenant?: string }): ReactNode {
  const [offer, setOffer] = useState<SignOnOfferBody>()
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    void readSignOnOffer(controller.signal).then((read) => {
      if (!controller.signal.aborted) setOffer(read)
    })
    return () => controller.abort()
  }, [])
  if (offer?.is_available !== true) return null
  const leave = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    leaveForProvider(readForm(event.currentTarget)('organization').trim())
  }
  if (isAsking) {
    return (
      <form className={styles['signOn']} onSubmit={leave}>
        <Field
          label={t('login.organization')}
          hint={t('login.organizationHint')}
          name="organization"
          autoComplete="email"
          pattern=".*\S.*"
          required
          autoFocus
        />
        <Button type="submit">
          {t('login.goOn')}
        </Button>
      </form>
    )
  }
  if (tenant !== undefined) {
    return (
      <div className={styles['signOn']}>
        <Button onClick={() => leaveForProvider(tenant, '_blank')}>{t('login.signOn')}</Button>
        <p className={styles['hint']}>{t('login.signOnTab')}</p>
      </div>
    )
  }
  return (
    <div className={styles['signOn']}>
      <Button onClick={() => (offer.asks_organization ? setIsAsking(true) : leaveForProvider(undefined))}>{t('login.signOn')}</Button>
    </div>
  )
}

/** Why a login at an identity provider failed, in words. */
export function printSignOnProblem(problem: string): string {
  const known = problems.find((one) => one === problem)
  return known === undefined ? t('login.signOnFailed') : t(`login.problem.${known}`)
}
