import type { ReactNode } from 'react'
import { enOverlays } from '../i18n/en/overlays.ts'
import { addTexts, t } from '../i18n/translate.ts'
import { tenantZone } from '../lib/format-time.ts'
import { look } from '../lib/look.ts'
import type { Look } from '../lib/look.ts'
import { useStore } from '../lib/use-store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/field.tsx'
import styles from './look-dialog.module.css'

// They are no part of the first page.
addTexts(enOverlays)

/** Theme, density, language, time zone and keys of this person, kept in the browser. */
export function LookDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { theme, density, language, zone, hasKeys } = useStore(look)
  const change = (part: Partial<Look>): void => look.update((now) => ({ ...now, ...part }))
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  const ofTenant = useStore(tenantZone)
  return (
    <Dialog title={t('head.look')} onClose={onClose}>
      <div className={styles['form']}>
        <Select
          label={t('look.theme')}
          value={theme}
          onChange={(value) => change({ theme: value })}
          options={[
            { value: 'system', label: t('look.theme.system') },
            { value: 'dark', label: t('look.theme.dark') },
            { value: 'light', label: t('look.theme.light') },
          ]}
        />
        <Select
          label={t('look.density')}
          value={density}
          onChange={(value) => change({ density: value })}
          options={(['compact', 'default', 'comfortable'] as const).map((value) => ({ value, label: t(`look.density.${value}`) }))}
        />
        <Select
          label={t('look.language')}
          value={language}
          onChange={(value) => change({ language: value })}
          options={[
            { value: 'en', label: 'English' },
            { value: 'ko', label: '한국어' },
          ]}
        />
        <Select
          label={t('look.zone')}
          value={zone}
          onChange={(value) => change({ zone: value })}
          options={[
            { value: 'utc', label: t('look.zone.utc') },
            { value: 'browser', label: t('look.zone.browser', { name }) },
            { value: 'tenant', label: t('look.zone.tenant', { name: ofTenant }) },
          ]}
        />
        <label className={styles['check']}>
          <input type="checkbox" checked={hasKeys} onChange={(event) => change({ hasKeys: event.target.checked })} />
          {t('look.keys')}
        </label>
      </div>
    </Dialog>
  )
}
