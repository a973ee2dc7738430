import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { StateMessage } from '../ui/state-message.tsx'

/** What stands at an address that no page has. */
export function NotFound(): ReactNode {
  return (
    <StateMessage title={t('state.notFound')}>
      <Link to="/">{t('state.notFound.back')}</Link>
    </StateMessage>
  )
}
