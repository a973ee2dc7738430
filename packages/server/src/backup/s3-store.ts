import { AwsClient } from 'aws4fetch'
import { BackupError } from './blob-store.ts'
import type { BlobStore } from './blob-store.ts'
import { limits } from './limits.ts'

/** A bucket of an S3-compatible store, with path-style addresses. */
type S3Place = {
  /** `https://s3.example`; the bucket follows in the path. */
  readonly endpoint: string
  readonly bucket: string
  /** What all names begin with; empty, or without `/` at its end. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Opens a bucket. It must exist; requests are signed with version 4, and repeated where the store is busy. */
export function openS3Store({ endpoint, bucket, prefix, region, accessKeyId, secretAccessKey }: S3Place): BlobStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 4 })
  const root = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const start = prefix === '' ? '' : `${prefix}/`
  const encodeName = (name: string) => `${start}${name}`.split('/').map(encodeURIComponent).join('/')
  const request = async (method: string, path: string, body?: Uint8Array): Promise<Response> => {
    const signal = AbortSignal.timeout(limits.backup.requestMs)
    let answer: Response
    try {
      answer = await client.fetch(`${root}${path}`, { method, signal, ...(body && { body: Buffer.from(body) }) })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      throw new BackupError(`the object store '${endpoint}' cannot be reached: ${cause}`, { cause: error })
    }
    if (answer.ok || answer.status === 404) return answer
    const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(await answer.text()) ?? []
    throw new BackupError(`the object store answered ${answer.status} ${code} to ${method} of '${bucket}${path}'`)
  }
  return {
    name: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    async put(name, bytes) {
      const answer = await request('PUT', `/${encodeName(name)}`, bytes)
      await answer.arrayBuffer()
      if (answer.status === 404) throw new BackupError(`there is no bucket '${bucket}' at '${endpoint}'; create it first`)
    },
    async get(name) {
      const answer = await request('GET', `/${encodeName(name)}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return answer.status === 404 ? undefined : bytes
    },
    async list(listed) {
      const names: string[] = []
      for (let token: string | undefined = ''; token !== undefined;) {
        const query: URLSearchParams = new URLSearchParams({ 'list-type': '2', prefix: `${start}${listed}` })
        if (token !== '') query.set('continuation-token', token)
        const answer = await request('GET', `/?${query.toString()}`)
        const text = await answer.text()
        if (answer.status === 404) throw new BackupError(`there is no bucket '${bucket}' at '${endpoint}'; create it first`)
        for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(decodeXml(key).slice(start.length))
        const [, next] = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text) ?? []
        token = next === undefined ? undefined : decodeXml(next)
      }
      return names.sort()
    },
    async remove(name) {
      await (await request('DELETE', `/${encodeName(name)}`)).arrayBuffer()
    },
  }
}

function decodeXml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&')
}
