import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ControlBody, ControlListBody, EvidenceJobBody, FrameworkBody } from '@tripline/contract/console/response/compliance'
import { callApi } from '../../api/client.ts'
import { waitForJob } from '../../api/follow-jobs.ts'
import { queryClient } from '../../api/query-client.ts'

const path = '/v1/compliance'

/** The frameworks with their scores. */
export function useFrameworks(): UseQueryResult<readonly FrameworkBody[]> {
  return useQuery({
    queryKey: ['compliance', 'frameworks'],
    queryFn: ({ signal }) => callApi<{ readonly frameworks: readonly FrameworkBody[] }>(`${path}/frameworks`, { signal }),
    select: ({ frameworks }) => frameworks,
  })
}

/** The controls of a framework, as it was assessed last. */
export function useControls(framework: string | undefined): UseQueryResult<ControlListBody> {
  return useQuery({
    queryKey: ['compliance', 'controls', framework],
    queryFn: ({ signal }) => callApi<ControlListBody>(`${path}/${encodeURIComponent(framework ?? '')}/controls`, { signal }),
    enabled: framework !== undefined,
  })
}

/** A control with its signals, evidence and attestation. */
export function useControl(framework: string, id: string): UseQueryResult<ControlBody> {
  return useQuery({
    queryKey: ['compliance', 'control', framework, id],
    queryFn: ({ signal }) => callApi<ControlBody>(toControlPath(framework, id), { signal }),
  })
}

/** Changes owner or note of a control. @throws ApiError. */
export async function changeControl(framework: string, id: string, body: { readonly owner: string; readonly note: string }): Promise<void> {
  await callApi(toControlPath(framework, id), { method: 'PATCH', body })
  await refresh()
}

/** What a person states about a control. */
export type Statement = {
  readonly status: 'compliant' | 'partial' | 'non_compliant'
  readonly expires_at: string
  readonly note: string
  readonly proof: { readonly url: string }
}

/** Attests to a control, or withdraws it without a statement. @throws ApiError. */
export async function attest(framework: string, id: string, statement: Statement | undefined): Promise<void> {
  const target = `${toControlPath(framework, id)}/attestation`
  if (statement === undefined) await callApi(target, { method: 'DELETE' })
  else await callApi(target, { method: 'POST', body: statement })
  await refresh()
}

/** Collects evidence and assesses a framework by it; resolves once that is done. @throws ApiError, Error where it failed. */
export async function collectEvidence(framework: string): Promise<void> {
  let job = await callApi<EvidenceJobBody>(`${path}/evidence/collect`, { method: 'POST', body: { frameworks: [framework] } })
  while (job.status === 'queued' || job.status === 'running') {
    await waitForJob('evidence', job.job_id)
    job = await callApi<EvidenceJobBody>(`${path}/evidence/jobs/${encodeURIComponent(job.job_id)}`)
  }
  if (job.status === 'failed') throw new Error(job.error ?? job.status)
  await refresh()
}

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['compliance'] })
}

function toControlPath(framework: string, id: string): string {
  return `${path}/${encodeURIComponent(framework)}/controls/${encodeURIComponent(id)}`
}
