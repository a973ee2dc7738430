import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { session } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { useStore } from '../../lib/use-store.ts'
import { LogoIcon } from '../../ui/icons.tsx'
import { LoginForm } from './login-form.tsx'
import { SignOn, printSignOnProblem } from './sign-on.tsx'
import styles from './login-page.module.css'

/** The login in place of everything. */
export function LoginPage(): ReactNode {
  const isLinkRefused = useStore(session, (state) => state.kind === 'closed' && state.isLinkRefused === true)
  const problem = useStore(session, (state) => (state.kind === 'closed' ? state.signOnProblem : undefined))
  useEffect(() => {
    document.title = t('login.title')
  }, [])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <LogoIcon size={28} aria-hidden className={styles['logo']} />
        <h1 className={styles['title']}>{t('login.title')}</h1>
        {isLinkRefused && (
          <p className={styles['refused']} role="status">
            {t('login.linkRefused')}
          </p>
        )}
        {problem !== undefined && (
          <p className={styles['refused']} role="status">
            {printSignOnProblem(problem)}
          </p>
        )}
        <LoginForm />
        <SignOn />
      </div>
    </main>
  )
}
