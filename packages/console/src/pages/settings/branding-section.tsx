import { useQuery } from '@tanstack/react-query'
import type { BrandingBody, BrandingChangeBody } from '@tripline/contract/console/response/report'
import { limits } from '@tripline/contract/limits'
import { useState } from 'react'
import type { ChangeEvent, FormEvent, ReactNode } from 'react'
import { sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PngPicture } from '../../ui/png-picture.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Versioned } from '../../ui/forms/versioned.tsx'
import styles from './forms.module.css'
import { PendingSection, Section } from './parts.tsx'

type Versioned = { readonly branding: BrandingBody; readonly etag: string | undefined }

const path = '/v1/settings/branding'
const key = ['settings', 'branding'] as const
const { brandNameLengthMax, logoBytesMax, logoWidthMax, logoHeightMax } = limits.reports

/** The name and the logo at the head of the tenant's reports. */
export function BrandingSection(): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Versioned> => {
      const { body, etag } = await sendApi<BrandingBody>(path, { signal })
      return { branding: body, etag }
    },
  })
  if (data === undefined) {
    return <PendingSection title={t('settings.branding')} hint={t('settings.branding.hint')} error={error} onRetry={() => void refetch()} />
  }
  return <Versioned version={data.etag}><BrandingForm {...data} /></Versioned>
}

function BrandingForm({ branding, etag }: Versioned): ReactNode {
  const [logo, setLogo] = useState(branding.logo?.png ?? null)
  const [problem, setProblem] = useState<string>()
  const saving = useTask()
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.currentTarget.files ?? []
    if (file === undefined) return
    const isTooLarge = file.size > logoBytesMax
    setProblem(isTooLarge ? t('settings.branding.large', { size: printNumber(logoBytesMax / 1_024) }) : undefined)
    if (!isTooLarge) void readBase64(file).then(setLogo)
  }
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const change: BrandingChangeBody = { name: readForm(event.currentTarget)('name').trim(), logo }
    void saving.run(async () => {
      const saved = await sendApi<BrandingBody>(path, { method: 'PUT', body: change, ifMatch: etag })
      queryClient.setQueryData<Versioned>(key, { branding: saved.body, etag: saved.etag })
    }, t('settings.saved'))
  }
  return (
    <Section title={t('settings.branding')} hint={t('settings.branding.hint')}>
      <form className={styles['form']} onSubmit={save}>
        <Field
          label={t('settings.branding.name')}
          name="name"
          defaultValue={branding.name}
          maxLength={brandNameLengthMax}
          hint={t('settings.branding.nameHint')}
        />
        <Field
          label={t('settings.branding.logo')}
          name="file"
          type="file"
          accept="image/png"
          onChange={choose}
          hint={t('settings.branding.logoHint', {
            size: printNumber(logoBytesMax / 1_024), width: printNumber(logoWidthMax), height: printNumber(logoHeightMax),
          })}
          error={problem}
        />
        {logo !== null && (
          <div className={styles['row']}>
            <PngPicture
              png={logo}
              label={t('settings.branding.logo')}
              className={styles['logo']}
              unreadable={<p className={styles['note']}>{t('settings.branding.unreadable')}</p>}
            />
            <Button onClick={() => setLogo(null)}>{t('settings.branding.remove')}</Button>
          </div>
        )}
        <Refusal text={saving.problem} />
        <div className={styles['row']}>
          <Button kind="primary" type="submit" isBusy={saving.isBusy}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : '')
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'))
    reader.readAsDataURL(file)
  })
}
