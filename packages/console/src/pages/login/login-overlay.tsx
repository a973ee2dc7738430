import type { ReactNode } from 'react'
import { logOut } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoginForm } from './login-form.tsx'
import { SignOn } from './sign-on.tsx'

/** The login over the page: what is open there stays, and its requests go on afterwards. */
export function LoginOverlay({ email, tenant }: { readonly email: string; readonly tenant: string }): ReactNode {
  return (
    <Dialog title={t('login.again')}>
      <p>{t('login.againHint')}</p>
      <p>{t('tenant.signedInAs', { email })}</p>
      <LoginForm email={email} tenant={tenant} />
      <SignOn tenant={tenant} />
      <Button kind="ghost" onClick={() => void logOut()}>
        {t('tenant.logOut')}
      </Button>
    </Dialog>
  )
}
