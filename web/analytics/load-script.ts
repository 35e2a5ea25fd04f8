/** SPEC §9. */
const TIMEOUT_MS = 10_000

/** Loads a third-party script. Rejects if it is blocked, fails or takes longer than 10 seconds. */
export function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      reject(new Error(`${new URL(src).host} did not answer`))
    }
    const timer = setTimeout(fail, TIMEOUT_MS)
    script.src = src
    script.async = true
    script.onerror = fail
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    document.head.append(script)
  })
}
