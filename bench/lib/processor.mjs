import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time of a process and its descendants so far, those that have ended too, in seconds; steadier than the clock on a
 * busy machine. On Linux.
 */
export function cpuSeconds(root = process.pid) {
  const roots = new Set([root])
  let ticks = 0
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  for (const pid of pids.sort((a, b) => a - b)) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      if (pid !== root && !roots.has(Number(fields[1]))) continue
      roots.add(pid)
      for (const field of fields.slice(11, 15)) ticks += Number(field)
    } catch {
      // The process has ended.
    }
  }
  return ticks / 100
}
