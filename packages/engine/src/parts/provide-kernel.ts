import { Kernel } from '../kernel/kernel.ts'
import { provideKernel } from '../kernel/kernel-provider.ts'

// Engines of programs that import this module have the kernel; see `sideEffects` in package.json.
provideKernel(Kernel)
