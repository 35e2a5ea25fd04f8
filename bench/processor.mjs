import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time of this process and its descendants so far, in seconds; steadier than the clock on a busy
 * machine. On Linux.
 */
export function cpuSeconds() {
  const roots = new Set([process.pid])
  let ticks = 0
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  for (const pid of pids.sort((a, b) => a - b)) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      if (!roots.has(Number(fields[1]))) continue
      roots.add(pid)
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process has ended.
    }
  }
  return ticks / 100
}
