import type { StateStore } from '@tripline/state/ports/state-store'
import type { ChannelSendDeps } from './send-message.ts'
import { limits } from '../limits.ts'

const mediaTypes = { pdf: 'application/pdf', html: 'text/html', csv: 'text/csv', json: 'application/json' } as const

/** Creates what reads the reports that go with a message; one that is gone or too large is only linked. */
export function createAttachmentReader(state: Pick<StateStore, 'reports'>): ChannelSendDeps['readAttachments'] {
  return async (tenant, { notices }) => {
    const attachments = []
    for (const { type, subject } of notices) {
      if (type !== 'report.ready') continue
      const report = await state.reports.get(tenant, subject)
      const content = report === undefined ? undefined : await state.reports.getContent(tenant, subject)
      if (report === undefined || content === undefined || content.file.length > limits.channels.attachmentBytesMax) continue
      const { framework, kind, requestedAt, format } = report
      const filename = `${framework === '' ? kind : framework}-${new Date(requestedAt).toISOString().slice(0, 10)}.${format}`
      attachments.push({ filename, contentType: mediaTypes[format], content: Buffer.from(content.file) })
    }
    return attachments
  }
}
