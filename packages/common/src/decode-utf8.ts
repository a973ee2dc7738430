/** Decodes UTF-8 bytes without copying them first. */
export function decodeUtf8({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8')
}
