import type { Config } from './config/config.ts'

interface SignIn {
  phone: string
  role: string
  vendorId: number | null
}

/** Start message for the console: the shop's URL and who may sign in. */
export function welcome({ role, host, port, publicUrl, simulator }: Config, signIns: readonly SignIn[] = []): string[] {
  if (role === 'worker') return ['', `  Qatra · قطرة   worker, health at http://${host}:${port}/readyz`, '']
  const lines = ['', `  Qatra · قطرة   ${publicUrl}`]
  if (simulator) lines.push(`  Test phone     ${publicUrl}/simulator   codes and messages arrive there, and here`)
  if (signIns.length > 0) lines.push('', '  Demo sign-ins')
  for (const { phone, role, vendorId } of signIns)
    lines.push(`    ${phone}   ${role}${vendorId === null ? '' : `, vendor ${vendorId}`}`)
  return [...lines, '']
}
