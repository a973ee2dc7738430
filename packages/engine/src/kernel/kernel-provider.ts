import type { Kernel } from './kernel.ts'

let KernelClass: typeof Kernel | undefined

/** Provides the kernel, without which engines give the same matches more slowly; `provide-parts.ts` calls it. */
export function provideKernel(kernel: typeof Kernel): void {
  KernelClass = kernel
}

/** Whether the program has the kernel and the platform can run it. */
export function isKernelAvailable(): boolean {
  return KernelClass?.isAvailable === true
}

/**
 * Creates a kernel.
 *
 * @throws Error if the program has none, or the platform cannot run it.
 */
export function createKernel(...args: ConstructorParameters<typeof Kernel>): Kernel {
  if (KernelClass === undefined) throw new Error('this program has no kernel; load rules with loadRuleSet')
  return new KernelClass(...args)
}
