// An agent's session over MCP: initialize, tools/list, navigate, observe, act, resources. Fails when the page does not
// show what the agent did.
import {spawn} from 'node:child_process';
const [glass, url] = process.argv.slice(2);
const child = spawn(glass, ['mcp'], {stdio: ['pipe', 'pipe', 'inherit']});
const waiting = new Map();
let id = 0, buffer = '';
child.stdout.on('data', d => {
  buffer += d;
  for (let i; (i = buffer.indexOf('\n')) >= 0; buffer = buffer.slice(i + 1)) {
    const m = JSON.parse(buffer.slice(0, i));
    waiting.get(m.id)?.(m);
    waiting.delete(m.id);
  }
});
const send = m => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...m}) + '\n');
const request = (method, params) => new Promise((resolve, reject) => {
  waiting.set(++id, m => m.error ? reject(new Error(m.error.message)) : resolve(m.result));
  send({id, method, params});
});
const call = async (name, args) => {
  console.log(`\n> ${name} ${JSON.stringify(args)}`);
  const r = await request('tools/call', {name, arguments: args});
  const text = r.content.filter(c => c.type === 'text').map(c => c.text).join('\n');
  console.log(text);
  if (r.isError) throw new Error('the call failed');
  return text;
};
const hello = await request('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'demo', version: '1'}});
console.log(`connected to ${hello.serverInfo.name} ${hello.serverInfo.version}, protocol ${hello.protocolVersion}`);
send({method: 'notifications/initialized'});
const {tools} = await request('tools/list', {});
console.log(`${tools.length} tools, ${JSON.stringify(tools).length} bytes`);
await call('navigate', {url});
const outline = await call('observe', {format: 'outline'});
const buttons = [...outline.matchAll(/button "Add to cart" (b\d+)/g)].map(m => m[1]);
await call('click', {target: 'node=' + buttons[2]});
await call('type', {target: 'label=Name', text: 'Grace', replace: true});
const done = await call('click', {target: 'role=button;name=Place order'});
if (!done.includes('Thank you, Grace: 1 tool(s), standard.')) throw new Error('the delta does not show the order');
child.stdin.end();
await new Promise(r => child.on('exit', r));
