// What the Go side can call: handlers.NAME = function (args) {…}, each registered beside what it does.
const handlers = {};
