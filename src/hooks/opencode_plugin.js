// Portolan's plugin for OpenCode and Kilo. Written by `portolan install`; it is safe to delete.
// Forwards what agents do to `portolan hook` and hands its answers on. Never throws but to refuse an edit that another
// agent is at, and never waits longer than the deadlines below.

import { spawn } from "node:child_process"

const PORTOLAN = @PORTOLAN@
const HOST = @HOST@
const DEADLINE_MS = { "tool-execute-before": 6000, "chat-message": 3000 }
const OTHER_DEADLINE_MS = 1500
// For tests on a machine that does much else.
const PATIENCE = Number(process.env.PORTOLAN_TEST_PATIENCE) || 1

export const Portolan = async ({ directory, worktree }) => {
  const parents = new Map() // a sub-agent's session -> the session that started it
  const maps = new Map() // session -> what the model is told with every request

  // The hook's answer, or an empty one: late, broken or missing, the agent goes on.
  const hook = (event, message) =>
    new Promise((resolve) => {
      let child
      let text = ""
      const done = () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(text))
        } catch {
          resolve({})
        }
      }
      const timer = setTimeout(() => {
        text = ""
        child?.kill("SIGKILL")
        done()
      }, (DEADLINE_MS[event] ?? OTHER_DEADLINE_MS) * PATIENCE)
      try {
        child = spawn(PORTOLAN, ["hook", "--host", HOST, event], {
          cwd: directory,
          stdio: ["pipe", "pipe", "ignore"],
        })
        child.on("error", done)
        child.on("close", done)
        child.stdout.on("data", (chunk) => (text += chunk))
        child.stdin.on("error", () => {})
        child.stdin.end(JSON.stringify({ host: HOST, directory, worktree, ...message }))
      } catch {
        done()
      }
    })

  const parent = (session) => parents.get(session)

  return {
    event: async ({ event }) => {
      const properties = event?.properties ?? {}
      const session = properties.sessionID ?? properties.info?.id
      switch (event?.type) {
        case "session.created":
          if (properties.info?.parentID) parents.set(session, properties.info.parentID)
          break
        case "session.deleted":
          maps.delete(session)
          break
        case "session.idle":
        case "session.compacted":
          break
        default:
          return
      }
      const name = event.type.replaceAll(".", "-")
      const answer = await hook(name, { hook: "event", parent: parent(session), input: { event } })
      if (answer.context) maps.set(session, answer.context)
      if (event.type === "session.deleted") parents.delete(session)
    },

    "chat.message": async (input, output) => {
      const parts = (output?.parts ?? []).filter((part) => part.type === "text")
      const answer = await hook("chat-message", {
        hook: "chat.message",
        parent: parent(input.sessionID),
        input: { sessionID: input.sessionID, messageID: input.messageID },
        output: { parts: parts.map(({ type, text, synthetic }) => ({ type, text, synthetic })) },
      })
      if (answer.context) maps.set(input.sessionID, answer.context)
    },

    "experimental.chat.system.transform": async (input, output) => {
      const map = maps.get(input?.sessionID)
      if (map) output.system.push(map)
    },

    "tool.execute.before": async (input, output) => {
      const answer = await hook("tool-execute-before", {
        hook: "tool.execute.before",
        parent: parent(input.sessionID),
        input,
        output: { args: output.args },
      })
      if (answer.deny) throw new Error(answer.deny)
    },

    "tool.execute.after": async (input, output) => {
      const answer = await hook("tool-execute-after", {
        hook: "tool.execute.after",
        parent: parent(input.sessionID),
        input,
        output: { metadata: { exit: output?.metadata?.exit } },
      })
      if (answer.context && typeof output?.output === "string") output.output += "\n\n" + answer.context
    },
  }
}
