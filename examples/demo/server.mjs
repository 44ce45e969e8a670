// Serves the demo page on a free port of 127.0.0.1 and prints its address.
import http from 'node:http';
import fs from 'node:fs';
const page = fs.readFileSync(new URL('shop.html', import.meta.url));
const server = http.createServer((_, res) => { res.writeHead(200, {'content-type': 'text/html; charset=utf-8'}); res.end(page); });
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
