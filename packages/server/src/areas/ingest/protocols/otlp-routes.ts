import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { AppError } from '@tripline/contract/app-error'
import { otlpJsonFormat } from '@tripline/formats/otlp/decode-json-logs'
import { otlpProtobufFormat } from '@tripline/formats/otlp/decode-protobuf-logs'
import type { RequestContext, RequestRefusal, Route } from '../../../http/route.ts'
import type { IngestReceipt } from '../../../ingestion/ingest.ts'
import { receiveBody } from '../receive-body.ts'
import type { IntakeDeps } from '../receive-body.ts'

/** The path that senders of OTLP append to an endpoint. On the main port it has a prefix, because `/v1` is the console's. */
const otlpPath = '/v1/logs'

const protobufType = 'application/x-protobuf'

/** Logs of OTLP/HTTP 1.x, in JSON and in Protocol Buffers; each is answered in its own encoding. */
export function otlpRoutes(deps: IntakeDeps, prefix: '' | '/ingest/otlp'): Route[] {
  return [{
    method: 'POST', path: `${prefix}${otlpPath}`, access: 'sender', summary: 'Ingests logs of OpenTelemetry (OTLP/HTTP)',
    responses: { 200: null }, isForeign: true, printError: printOtlpError, handle: async (c) => printReceipt(c, await receiveLogs(deps, c)),
  }]
}

function receiveLogs(deps: IntakeDeps, c: RequestContext): Promise<IngestReceipt> {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';', 1)
  switch (type.trim().toLowerCase()) {
    case 'application/json':
      return receiveBody(deps, c, { format: otlpJsonFormat })
    case protobufType:
      return receiveBody(deps, c, { format: otlpProtobufFormat })
    default: {
      const supported = ['application/json', protobufType]
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', `the content type must be one of ${supported.join(', ')}`, { supported })
    }
  }
}

/** Records that were rejected must not come again, which `partialSuccess` tells. */
function printReceipt(c: RequestContext, { rejectedCount, rejections: [rejection] }: IngestReceipt): Response {
  const reason = rejection?.reason ?? ''
  if (!isProtobuf(c)) {
    return c.json(rejectedCount === 0 ? {} : { partialSuccess: { rejectedLogRecords: String(rejectedCount), errorMessage: reason } })
  }
  const writer = new BinaryWriter()
  if (rejectedCount > 0) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int64(rejectedCount).tag(2, WireType.LengthDelimited).string(reason).join()
  }
  return c.body(writer.finish(), 200, { 'Content-Type': protobufType })
}

/** The codes of gRPC, which `google.rpc.Status` has: unauthenticated, permission denied, unavailable, invalid argument. */
const grpcCodes: { readonly [code: string]: number } = {
  UNAUTHORIZED: 16, FORBIDDEN: 7, RATE_LIMITED: 14, UNAVAILABLE: 14, OUTCOME_UNKNOWN: 14, INTERNAL_ERROR: 13,
}
const invalidArgument = 3

/** Senders wait and try again at 429 and 503, which the statuses of these refusals are. */
function printOtlpError(c: RequestContext, { code, status, message }: RequestRefusal): Response {
  const number = grpcCodes[code] ?? invalidArgument
  if (!isProtobuf(c)) return c.json({ code: number, message }, status)
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(number).tag(2, WireType.LengthDelimited).string(message)
  return c.body(writer.finish(), status, { 'Content-Type': protobufType })
}

function isProtobuf(c: RequestContext): boolean {
  return c.req.header('content-type')?.toLowerCase().startsWith(protobufType) === true
}
