// Bump allocator: memory is never freed, tables are cleared and reused.

/** The size of a page of memory, in bytes. */
const pageSize: usize = 65_536
/** The first free byte; every block is aligned to a cache line. */
let free: usize = align(__heap_base)

/** Allocates zeroed bytes, aligned to 64. Memory grows as needed; running out of it traps. */
export function allocate(size: usize): usize {
  const start = free
  free = align(start + size)
  const missing = <isize>free - <isize>(<usize>memory.size() * pageSize)
  if (missing > 0 && memory.grow(<i32>((<usize>missing + pageSize - 1) / pageSize)) < 0) unreachable()
  return start
}

function align(address: usize): usize {
  return (address + 63) & ~(<usize>63)
}
