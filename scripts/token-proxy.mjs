// Passes requests on with a bearer token that the public suites cannot send. Host and Origin stay as they came but for the
// port, so that the server's own checks meet them: node scripts/token-proxy.mjs PORT TARGET_PORT TOKEN
import http from 'node:http';
const [port, target, token] = process.argv.slice(2);
const moved = value => value?.replace(':' + port, ':' + target);
http.createServer((req, res) => {
  const headers = {...req.headers, host: moved(req.headers.host), authorization: 'Bearer ' + token};
  if (headers.origin) headers.origin = moved(headers.origin);
  const onward = http.request({host: '127.0.0.1', port: target, path: req.url, method: req.method, headers}, answer => {
    res.writeHead(answer.statusCode, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
