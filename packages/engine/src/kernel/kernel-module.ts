import { decodeBase64 } from './base64.ts'
import { kernelText } from './kernel-bytes.ts'

/** A global number that the module exports. */
type ExportedNumber = { readonly value: number }

/** The exports of `packages/engine/assembly/index.ts`; addresses refer to its memory. */
export type KernelExports = {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly allocate: (byteCount: number) => number
  readonly configure: (
    keyCount: number, keyBytes: number, valueCount: number, valueBytes: number, needleListCount: number,
    signatureCount: number, slotCount: number, programCount: number, domainCount: number, textBytes: number,
  ) => void
  readonly setProgram: (number: number, program: number) => void
  readonly setFilter: (domain: number, filter: number) => void
  readonly setNeedles: (domain: number, layout: number) => void
  readonly findNeedles: (domain: number, start: number, length: number) => number
  readonly foundNeedles: ExportedNumber
  readonly run: (start: number, end: number, line: number) => number
  readonly forget: () => void
  readonly slotStart: (slot: number) => number
  readonly slotLength: (slot: number) => number
  readonly eventCounts: ExportedNumber
  readonly blankLines: ExportedNumber
  readonly keyMisses: ExportedNumber
  readonly keysForgotten: ExportedNumber
  readonly valueHits: ExportedNumber
  readonly valueMisses: ExportedNumber
  readonly valuesForgotten: ExportedNumber
  readonly foundMisses: ExportedNumber
  readonly foundForgotten: ExportedNumber
  readonly walkMisses: ExportedNumber
  readonly walksForgotten: ExportedNumber
}

/** The functions that the module calls, as `packages/engine/assembly/host.ts` declares them. */
type KernelImports = { readonly [name: string]: (...numbers: number[]) => number | void }

/** The parts of WebAssembly that we use: ECMAScript's type library does not declare it. */
type WebAssemblyPlatform = {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (
    module: object, imports: { readonly host: KernelImports },
  ) => { readonly exports: KernelExports }
}

const { WebAssembly: platform } = globalThis as { readonly WebAssembly?: WebAssemblyPlatform }
let compiled: object | 'refused' | undefined

/** Instantiates the kernel's module; undefined if WebAssembly is missing or forbidden. */
export function instantiateKernel(host: KernelImports): KernelExports | undefined {
  compiled ??= compileModule()
  if (platform === undefined || compiled === 'refused') return undefined
  return new platform.Instance(compiled, { host }).exports
}

/** Whether the kernel's module can be instantiated here. */
export function canInstantiateKernel(): boolean {
  compiled ??= compileModule()
  return compiled !== 'refused'
}

function compileModule(): object | 'refused' {
  if (platform === undefined) return 'refused'
  try {
    return new platform.Module(decodeBase64(kernelText))
  } catch {
    // A page may forbid WebAssembly, and an old machine may lack SIMD instructions.
    return 'refused'
  }
}
