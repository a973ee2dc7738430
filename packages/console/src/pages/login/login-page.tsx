import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { LogoIcon } from '../../ui/icons.tsx'
import { LoginForm } from './login-form.tsx'
import styles from './login-page.module.css'

/** The login in place of everything. */
export function LoginPage(): ReactNode {
  useEffect(() => {
    document.title = t('login.title')
  }, [])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <LogoIcon size={28} aria-hidden className={styles['logo']} />
        <h1 className={styles['title']}>{t('login.title')}</h1>
        <LoginForm />
      </div>
    </main>
  )
}
