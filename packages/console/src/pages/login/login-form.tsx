import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { ApiError, getErrorText } from '../../api/api-error.ts'
import { logIn } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import styles from './login-form.module.css'

/** What the server asks for beside email and password. */
type Step = { readonly needs: 'nothing' | 'totp' | 'new_password'; readonly tenants: readonly string[] }

const firstStep: Step = { needs: 'nothing', tenants: [] }
const passwordLengthMin = 12

/** Email and password; then the code, the own password or the tenant, where the server asks for it. */
export function LoginForm({ email, tenant }: { readonly email?: string; readonly tenant?: string }): ReactNode {
  const [step, setStep] = useState(firstStep)
  const [chosen, setChosen] = useState(tenant)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const [length, setLength] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (): Promise<void> => {
    if (form.current === null) return
    const read = readForm(form.current)
    const wanted = read('new_password')
    if (step.needs === 'new_password' && wanted !== read('new_password_again')) {
      setProblem(t('login.differ'))
      return
    }
    setIsBusy(true)
    setProblem(undefined)
    try {
      await logIn({
        email: email ?? read('email'),
        password: read('password'),
        ...(step.needs === 'totp' && { totp: read('totp').replaceAll(/\s/g, '') }),
        ...(step.needs === 'new_password' && { new_password: wanted }),
        ...(chosen !== undefined && { tenant_id: chosen }),
      })
    } catch (error) {
      const next = readNextStep(error, step)
      if (next.tenants.length > 0 && chosen === undefined) setChosen(next.tenants[0])
      setStep(next)
      setProblem(next === step ? describe(error) : undefined)
    } finally {
      setIsBusy(false)
    }
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={onSubmit}>
      <div className={styles['fields']} hidden={step.needs !== 'nothing'}>
        {email === undefined && <Field label={t('login.email')} name="email" type="email" autoComplete="username" required autoFocus />}
        <Field
          label={t('login.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={email !== undefined}
        />
      </div>
      {step.tenants.length > 0 && (
        <Select
          label={t('login.tenant')}
          value={chosen ?? ''}
          options={step.tenants.map((id) => ({ value: id, label: id }))}
          onChange={setChosen}
        />
      )}
      {step.needs === 'totp' && (
        <Field
          label={t('login.code')}
          hint={t('login.codeHint')}
          name="totp"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]{6,7}"
          required
          autoFocus
        />
      )}
      {step.needs === 'new_password' && (
        <>
          <p className={styles['hint']}>{t('login.newPasswordHint')}</p>
          <Field
            label={t('login.newPassword')}
            hint={t('login.length', { count: length })}
            name="new_password"
            type="password"
            autoComplete="new-password"
            minLength={passwordLengthMin}
            required
            autoFocus
            onChange={(event) => setLength([...event.target.value].length)}
          />
          <meter className={styles['meter']} min={0} max={passwordLengthMin} value={length} aria-hidden />
          <Field label={t('login.newPasswordAgain')} name="new_password_again" type="password" autoComplete="new-password" required />
        </>
      )}
      <p className={styles['problem']} role="alert">
        {problem}
      </p>
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('login.submit')}
      </Button>
      {step !== firstStep && email === undefined && (
        <Button
          kind="ghost"
          onClick={() => {
            setStep(firstStep)
            setChosen(undefined)
            setProblem(undefined)
          }}
        >
          {t('login.back')}
        </Button>
      )}
    </form>
  )
}

function readNextStep(error: unknown, step: Step): Step {
  if (!(error instanceof ApiError)) return step
  const { needs, tenants } = error.details
  if ((needs === 'totp' || needs === 'new_password') && needs !== step.needs) return { ...step, needs }
  if (Array.isArray(tenants) && step.tenants.length === 0) return { ...step, tenants: tenants.map(String) }
  return step
}

/** A wrong login never says which part was wrong. */
function describe(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return t('login.wrong')
  if (error instanceof ApiError && error.details['needs'] === 'sign_on') return t('login.signOnRequired')
  const seconds = error instanceof ApiError ? error.details['retry_after_seconds'] : undefined
  if (typeof seconds === 'number') return t('login.limited', { count: Math.ceil(seconds) })
  return getErrorText(error)
}
