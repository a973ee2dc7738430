/** The text that bytes are in UTF-8; they are not copied. */
export function decodeUtf8({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8')
}
