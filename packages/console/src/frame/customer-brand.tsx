import { useQuery } from '@tanstack/react-query'
import type { BrandingBody } from '@tripline/contract/console/response/report'
import type { ReactNode } from 'react'
import { callApi } from '../api/client.ts'
import { toVisibleText } from '../lib/visible-text.ts'
import { PngPicture } from '../ui/png-picture.tsx'
import styles from './customer-brand.module.css'

/** The logo or the name that stands at the head of the customer's reports too; without any, the name of the tenant. */
export function CustomerBrand({ tenant }: { readonly tenant: string }): ReactNode {
  const { data } = useQuery({
    queryKey: ['brand'],
    queryFn: ({ signal }) => callApi<BrandingBody>('/v1/settings/branding', { signal }),
  })
  const name = data === undefined || data.name === '' ? tenant : toVisibleText(data.name)
  if (data === undefined || data.logo === null) return name
  return <PngPicture png={data.logo.png} label={name} className={styles['logo']} unreadable={name} />
}
